//! What a unit is defined by: parameters with their rules, the sizes that ship, a module name, and its RTL.

use super::{Instance, ParameterError, Relation, Rtl, Rule, Unit, Values};

/// A unit, defined once. Everything else about it follows from here.
pub struct Definition {
    pub name: &'static str,
    pub description: &'static str,
    /// Latency and throughput.
    pub timing: &'static str,
    /// Paper and section, `-` for a unit of no paper.
    pub paper: &'static str,
    pub parameters: &'static [Rule],
    /// Rules between parameters, checked after those of the parameters alone.
    pub relations: &'static [Relation],
    /// The instances that ship: values in the order of the parameters.
    pub shipped: &'static [&'static [u64]],
    /// Name of the Verilog module.
    pub module: fn(&Values) -> String,
    /// The sizes that there is RTL for, and the block of each: made by [`rtl!`](crate::rtl).
    pub rtl: Rtl,
}

impl Definition {
    pub(super) fn unit(&self) -> Unit {
        Unit {
            name: self.name,
            description: self.description,
            timing: self.timing,
            paper: self.paper,
            parameters: self.parameters.iter().map(|p| p.parameter.clone()).collect(),
        }
    }

    pub(super) fn shipped(&'static self) -> impl Iterator<Item = Instance> {
        self.shipped.iter().map(|values| self.instance(values))
    }

    /// The instance with the parameters given and defaults for the rest.
    pub fn find(&self, parameters: &[(&str, u64)]) -> Result<Instance, ParameterError> {
        let instance = self.instance(&self.complete(parameters)?);
        if self.rtl.has(&Values(instance.parameters.clone())) {
            return Ok(instance);
        }
        let wanted: Vec<_> = instance.parameters.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let available = self.rtl.available();
        Err(ParameterError::Combination { unit: self.name, wanted: wanted.join(", "), available })
    }

    fn instance(&self, values: &[u64]) -> Instance {
        let names = self.parameters.iter().map(|p| p.parameter.name);
        let parameters: Vec<_> = names.zip(values.iter().copied()).collect();
        Instance {
            unit: self.name,
            description: self.description,
            timing: self.timing,
            paper: self.paper,
            module: (self.module)(&Values(parameters.clone())),
            parameters,
            build: self.rtl.build,
        }
    }

    /// All values, checked against the rules one by one, then against those between them.
    fn complete(&self, given: &[(&str, u64)]) -> Result<Vec<u64>, ParameterError> {
        self.check_names(given)?;
        let unit = self.name;
        let value = |p: &Rule| {
            let value = given.iter().find(|(n, _)| *n == p.parameter.name).map_or(p.parameter.default, |(_, v)| *v);
            match (p.holds)(value) {
                true => Ok(value),
                false => Err(ParameterError::Value { unit, parameter: p.parameter.name, value, rule: p.rule }),
            }
        };
        let values: Vec<u64> = self.parameters.iter().map(value).collect::<Result<_, _>>()?;
        let all = Values(self.instance(&values).parameters);
        match self.relations.iter().find(|relation| !(relation.holds)(&all)) {
            None => Ok(values),
            Some(&Relation { parameter, rule, .. }) => {
                Err(ParameterError::Value { unit, parameter, value: all.get(parameter), rule })
            }
        }
    }

    /// Every name is a parameter's, and given once.
    fn check_names(&self, given: &[(&str, u64)]) -> Result<(), ParameterError> {
        let unit = self.name;
        for (i, (name, _)) in given.iter().enumerate() {
            let Some(known) = self.parameters.iter().find(|p| p.parameter.name == *name) else {
                let available = spelling::listed(name, self.parameters.iter().map(|p| p.parameter.name));
                return Err(ParameterError::Unknown { unit, parameter: name.to_string(), available });
            };
            if given[..i].iter().any(|(other, _)| other == name) {
                return Err(ParameterError::Twice { unit, parameter: known.parameter.name });
            }
        }
        Ok(())
    }
}
