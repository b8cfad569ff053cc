//! The header of a module: its purpose, the meaning of its parameters, and its sizes.

use super::group::{Chosen, Group, Library};
use crate::elaborate::{comment, About, GENERATED};
use hdl::catalog::Catalog;
use std::collections::BTreeSet;

pub fn header(
    library: &Library,
    group: &Group,
    name: &str,
    summary: &str,
    about: Option<&About>,
    chosen: &Chosen,
) -> String {
    let mut facts = String::new();
    if let Some(about) = about {
        facts += &format!("// Unit: {}.\n", about.unit);
        let others = group.members.iter().filter_map(|m| Some(&library.modules[*m].about.as_ref()?.unit));
        for unit in others.filter(|unit| **unit != about.unit).collect::<BTreeSet<_>>() {
            facts += &format!("// Unit: {unit}.\n");
        }
        facts += &comment(&format!("Timing: {}.", about.timing));
        if !about.paper.is_empty() {
            facts += &format!("// Paper: {}.\n", about.paper);
        }
    }
    for (place, parameter) in group.parameters.iter().enumerate() {
        facts += &comment(&format!("Parameter {parameter}: {}.", meaning(library, group, place)));
    }
    facts += &sizes(library, group, chosen);
    let end = if facts.is_empty() { "" } else { "//\n" };
    format!("{}//\n{facts}{end}{GENERATED}\n", comment(&format!("{name}: {summary}")))
}

fn sizes(library: &Library, group: &Group, chosen: &Chosen) -> String {
    let sizes: BTreeSet<&Vec<i64>> = library.in_use(group, chosen).into_iter().map(|m| &group.values[m]).collect();
    let size = |size: &&Vec<i64>| size.iter().map(i64::to_string).collect::<Vec<_>>().join(", ");
    match group.parameters.as_slice() {
        [] => String::new(),
        [only] => {
            let values: Vec<String> = sizes.iter().map(size).collect();
            comment(&format!("Sizes in use: {only} = {}.", values.join(", ")))
        }
        several => {
            let values: Vec<String> = sizes.iter().map(|s| format!("({})", size(s))).collect();
            comment(&format!("Sizes in use: ({}) = {}.", several.join(", "), values.join(", ")))
        }
    }
}

/// The meaning of a parameter: as the units have it that a module is or is a part of, if it has the values of theirs;
/// else as a part has it; else what its name says.
fn meaning(library: &Library, group: &Group, place: usize) -> String {
    let name = group.parameters[place].to_lowercase();
    let mut units = vec![];
    for (member, values) in group.members.iter().zip(&group.values) {
        for unit in library.units_of(*member) {
            let about = library.modules[unit].about.as_ref().expect("a unit says what it is");
            units
                .extend(about.parameters.get(&name).map(|value| (about.unit.as_str(), *value as i64 == values[place])));
        }
    }
    let is_own = |unit: &&(&str, bool)| Some(unit.0) == group.unit.as_deref();
    if let (true, Some((unit, _))) = (units.iter().all(|u| u.1), units.iter().find(is_own).or(units.first())) {
        return description(unit, &name).into();
    }
    let children = if units.is_empty() { library.children(group.members[0]).collect() } else { vec![] };
    let with = |child: usize| {
        let child = &library.groups[child];
        let place = child.parameters.iter().position(|parameter| *parameter == group.parameters[place])?;
        Some(meaning(library, child, place))
    };
    match (children.into_iter().find_map(with), name.strip_suffix("_width")) {
        (Some(meaning), _) => meaning,
        (None, Some(net)) => format!("bits of {net}"),
        (None, None) => name,
    }
}

fn description(unit: &str, parameter: &str) -> &'static str {
    let catalog = Catalog::ours();
    let definition = catalog.definitions().iter().find(|d| d.unit.name == unit).expect("a unit of the catalogue");
    let mut parameters = definition.unit.parameters.iter();
    parameters.find(|p| p.name == parameter).expect("a parameter of the unit").description
}
