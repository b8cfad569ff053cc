//! Tokens to [`ast::File`]: the grammar of PTX, instructions not yet understood.

use super::ast::*;
use super::error::PtxError;
use super::lexer::{tokens, Token, TokenKind};
use super::program::Bounds;
use std::collections::BTreeMap;

type Result<T> = std::result::Result<T, PtxError>;

/// Blocks, vectors and initialisers in each other.
const DEEPEST: u32 = 200;
/// Bytes that a variable can have: those of a state space's window.
const LARGEST_VARIABLE: u64 = super::address_map::WINDOW_BYTES;

/// Parses the text of a file; `name` is for messages.
pub fn parse(name: &str, text: &str) -> Result<File> {
    // Compilers that write strings of C leave their end in the file.
    let text = text.trim_end_matches('\0');
    let tokens = tokens(name, text)?;
    let (sources, arrays) = (BTreeMap::new(), Vec::new());
    Parser { file: name, text, tokens, at: 0, depth: 0, sources, source: None, arrays }.file()
}

struct Parser<'f, 't> {
    file: &'f str,
    text: &'t str,
    tokens: Vec<Token<'t>>,
    at: usize,
    /// Blocks, vectors and initialisers open here.
    depth: u32,
    sources: BTreeMap<u32, String>,
    /// Place in the last `.loc`.
    source: Option<SourceLine>,
    /// Variables that can be named here: the bytes from one element to the next, for each dimension.
    arrays: Vec<(&'t str, Vec<u64>)>,
}

/// `.visible` and the like, which change nothing in a program of one file.
fn is_linkage(word: &str) -> bool {
    matches!(word, "visible" | "weak" | "common")
}

/// Bytes of an array of such elements.
fn product(element: u64, dimensions: &[u64]) -> u64 {
    dimensions.iter().fold(element, |bytes, count| bytes.saturating_mul(*count))
}

fn variable_space(word: &str) -> Option<VariableSpace> {
    Some(match word {
        "const" => VariableSpace::Const,
        "global" => VariableSpace::Global,
        "local" => VariableSpace::Local,
        "param" => VariableSpace::Param,
        "shared" => VariableSpace::Shared,
        _ => return None,
    })
}

impl<'t> Parser<'_, 't> {
    fn peek(&self) -> TokenKind<'t> {
        self.tokens[self.at].kind
    }

    fn line(&self) -> u32 {
        self.tokens[self.at].line
    }

    fn advance(&mut self) -> TokenKind<'t> {
        let kind = self.peek();
        if kind != TokenKind::End {
            self.at += 1;
        }
        kind
    }

    fn error_at(&self, line: u32, message: impl Into<String>) -> PtxError {
        PtxError { file: self.file.into(), line, message: message.into() }
    }

    fn expected(&self, what: &str) -> PtxError {
        let token = self.tokens[self.at];
        let found = match token.kind {
            TokenKind::End => "the end of the file".to_string(),
            _ => format!("`{}`", &self.text[token.start..token.end]),
        };
        self.error_at(token.line, format!("expected {what}, found {found}"))
    }

    /// Parses something that may hold things of its own kind.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Result<T>) -> Result<T> {
        if self.depth == DEEPEST {
            return Err(self.error_at(self.line(), format!("nested more than {DEEPEST} deep")));
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    fn accept(&mut self, char: char) -> bool {
        let found = self.peek() == TokenKind::Punct(char);
        self.at += found as usize;
        found
    }

    fn expect(&mut self, char: char) -> Result<()> {
        if self.accept(char) {
            Ok(())
        } else {
            Err(self.expected(&format!("`{char}`")))
        }
    }

    fn accept_dot(&mut self, word: &str) -> bool {
        let found = self.peek() == TokenKind::Dot(word);
        self.at += found as usize;
        found
    }

    fn ident(&mut self, what: &str) -> Result<String> {
        match self.peek() {
            TokenKind::Ident(name) => {
                self.at += 1;
                Ok(name.to_string())
            }
            _ => Err(self.expected(what)),
        }
    }

    fn int(&mut self, what: &str) -> Result<u64> {
        let negative = self.accept('-');
        match self.peek() {
            TokenKind::Int(value) => {
                self.at += 1;
                Ok(if negative { value.wrapping_neg() } else { value })
            }
            _ => Err(self.expected(what)),
        }
    }

    /// Skips what is left of a directive that ends with its line.
    fn skip_line(&mut self, line: u32) {
        while self.line() == line && self.peek() != TokenKind::End {
            self.at += 1;
        }
    }

    fn skip_braces(&mut self) -> Result<()> {
        let line = self.line();
        self.expect('{')?;
        let mut depth = 1;
        while depth > 0 {
            match self.advance() {
                TokenKind::Punct('{') => depth += 1,
                TokenKind::Punct('}') => depth -= 1,
                TokenKind::End => return Err(self.error_at(line, "this `{` is not closed")),
                _ => {}
            }
        }
        Ok(())
    }

    fn file(mut self) -> Result<File> {
        let mut file = File::default();
        loop {
            let line = self.line();
            match self.peek() {
                TokenKind::End => {
                    file.sources = self.sources;
                    return Ok(file);
                }
                TokenKind::Punct(';') => self.at += 1,
                TokenKind::Dot("version" | "target" | "loc") => self.skip_line(line),
                TokenKind::Dot("file") => self.source_file()?,
                TokenKind::Dot("address_size") => {
                    self.at += 1;
                    if self.int("32 or 64")? != 64 {
                        return Err(self.error_at(line, "only `.address_size 64` is supported: compile for 64 bits"));
                    }
                }
                TokenKind::Dot("section") => {
                    while !matches!(self.peek(), TokenKind::Punct('{') | TokenKind::End) {
                        self.at += 1;
                    }
                    self.skip_braces()?;
                }
                TokenKind::Dot("pragma") => self.skip_to_semicolon()?,
                TokenKind::Dot(_) => self.definition(&mut file)?,
                _ => return Err(self.expected("a directive")),
            }
        }
    }

    /// `.file 1 "path"` or `.file 1 "folder" "name"`, perhaps followed by its time and size.
    fn source_file(&mut self) -> Result<()> {
        let line = self.line();
        self.at += 1;
        let number = self.int("the number of the file")? as u32;
        let mut path = std::path::PathBuf::new();
        while let TokenKind::Str(part) = self.peek() {
            path.push(part);
            self.at += 1;
        }
        // Clang says that the working directory is meant.
        let path = path.strip_prefix(".").unwrap_or(&path);
        self.sources.insert(number, path.to_string_lossy().into_owned());
        self.skip_line(line);
        Ok(())
    }

    /// `.loc 1 20 5`: file, line, column, and what does not matter here.
    fn source_line(&mut self) -> Result<()> {
        let start = self.line();
        self.at += 1;
        let (file, line) = (self.int("the number of a file")? as u32, self.int("a line")? as u32);
        // The compiler writes line 0 for what stands nowhere.
        self.source = (line > 0).then_some(SourceLine { file, line });
        self.skip_line(start);
        Ok(())
    }

    fn skip_to_semicolon(&mut self) -> Result<()> {
        loop {
            match self.advance() {
                TokenKind::Punct(';') => return Ok(()),
                TokenKind::End => return Err(self.expected("`;`")),
                _ => {}
            }
        }
    }

    fn definition(&mut self, file: &mut File) -> Result<()> {
        let mut external = false;
        loop {
            match self.peek() {
                TokenKind::Dot(word) if is_linkage(word) => self.at += 1,
                TokenKind::Dot("extern") => {
                    self.at += 1;
                    external = true;
                }
                TokenKind::Dot("entry") => {
                    self.at += 1;
                    file.functions.push(self.function(true)?);
                    return Ok(());
                }
                TokenKind::Dot("func") => {
                    self.at += 1;
                    file.functions.push(self.function(false)?);
                    return Ok(());
                }
                TokenKind::Dot(word) if variable_space(word).is_some() => {
                    file.variables.extend(self.variables(external)?);
                    return Ok(());
                }
                _ => return Err(self.expected("a variable, `.entry` or `.func`")),
            }
        }
    }

    fn function(&mut self, entry: bool) -> Result<Function> {
        let (line, outside) = (self.line(), self.arrays.len());
        self.source = None;
        while self.accept_dot("noreturn") {}
        let returns = if self.peek() == TokenKind::Punct('(') { self.params()? } else { Vec::new() };
        let name = self.ident("the name of the function")?;
        let params = if self.peek() == TokenKind::Punct('(') { self.params()? } else { Vec::new() };
        let bounds = self.bounds()?;
        let body = if self.accept(';') { None } else { Some(self.block()?) };
        self.arrays.truncate(outside);
        Ok(Function { line, name, entry, bounds, returns, params, body })
    }

    /// Directives between a function's parameters and its body. Those about registers and about CTAs of a core are advice.
    fn bounds(&mut self) -> Result<Bounds> {
        let mut bounds = Bounds::default();
        loop {
            match self.peek() {
                TokenKind::Punct('{' | ';') | TokenKind::End => return Ok(bounds),
                TokenKind::Dot("maxntid") => {
                    bounds.most = Some(self.block_shape()?.iter().fold(1, |all, n| all.saturating_mul(*n)));
                }
                TokenKind::Dot("reqntid") => bounds.block = Some(self.block_shape()?),
                _ => self.at += 1,
            }
        }
    }

    /// One to three numbers of threads behind a directive.
    fn block_shape(&mut self) -> Result<[u32; 3]> {
        self.at += 1;
        let mut shape = [1; 3];
        for (axis, threads) in shape.iter_mut().enumerate() {
            if axis == 0 || self.accept(',') {
                let count = self.int("a number of threads")?;
                *threads = u32::try_from(count).unwrap_or(u32::MAX);
            }
        }
        Ok(shape)
    }

    fn params(&mut self) -> Result<Vec<Variable>> {
        self.expect('(')?;
        let mut params = Vec::new();
        while !self.accept(')') {
            let line = self.line();
            match self.advance() {
                TokenKind::Dot("param") => params.push(self.variable(VariableSpace::Param, false, line)?),
                TokenKind::Dot("reg") => {
                    return Err(self.error_at(line, "parameters in registers are not supported: use .param"));
                }
                _ => {
                    self.at -= 1;
                    return Err(self.expected("`.param` or `)`"));
                }
            }
            if self.peek() != TokenKind::Punct(')') {
                self.expect(',')?;
            }
        }
        Ok(params)
    }

    /// `.space .type a, b[4] = {...};`
    fn variables(&mut self, external: bool) -> Result<Vec<Variable>> {
        let line = self.line();
        let TokenKind::Dot(word) = self.advance() else { return Err(self.expected("a state space")) };
        let Some(space) = variable_space(word) else { return Err(self.expected("a state space")) };
        let first = self.variable(space, external, line)?;
        let (ty, align) = (first.ty, first.align);
        let mut variables = vec![first];
        while self.accept(',') {
            variables.push(self.declarator(space, external, line, ty, align, 1)?);
        }
        self.expect(';')?;
        Ok(variables)
    }

    fn variable(&mut self, space: VariableSpace, external: bool, line: u32) -> Result<Variable> {
        let (mut ty, mut align, mut vector, mut is_pointer) = (None, None, 1, false);
        while let TokenKind::Dot(word) = self.peek() {
            self.at += 1;
            match word {
                "align" => {
                    let value = self.int("an alignment")?;
                    if !value.is_power_of_two() || value > 256 {
                        return Err(self.error_at(line, format!("alignment {value} is not a power of two up to 256")));
                    }
                    // The alignment of what a pointer parameter points to is not its own.
                    if !is_pointer {
                        align = Some(value);
                    }
                }
                "ptr" => is_pointer = true,
                "v2" => vector = 2,
                "v4" => vector = 4,
                // The host binds an object to them: the variable stands for a handle.
                "texref" | "surfref" | "samplerref" => ty = Some(Type { kind: TypeKind::Unsigned, bits: 64 }),
                _ if is_pointer && variable_space(word).is_some() => {}
                _ => match Type::parse(word) {
                    Some(parsed) if parsed.kind != TypeKind::Predicate => ty = Some(parsed),
                    _ => return Err(self.error_at(line, format!("unknown `.{word}` in the declaration of a variable"))),
                },
            }
        }
        let Some(ty) = ty else { return Err(self.expected("the type of the variable")) };
        let align = align.unwrap_or(ty.bytes() * vector);
        self.declarator(space, external, line, ty, align, vector)
    }

    fn declarator(
        &mut self,
        space: VariableSpace,
        external: bool,
        line: u32,
        ty: Type,
        align: u64,
        vector: u64,
    ) -> Result<Variable> {
        let token = self.tokens[self.at];
        let name = self.ident("the name of the variable")?;
        let (mut dimensions, mut open) = (Vec::new(), false);
        while self.accept('[') {
            if self.accept(']') {
                open = true;
                dimensions.push(1);
                continue;
            }
            dimensions.push(self.int("the number of elements")?);
            self.expect(']')?;
        }
        let element = ty.bytes() * vector;
        let strides = (1..=dimensions.len()).map(|n| product(element, &dimensions[n..])).collect();
        self.arrays.push((&self.text[token.start..token.end], strides));
        let mut initial = Vec::new();
        if self.accept('=') {
            self.initial(&mut initial)?;
        }
        let bytes = match (open, initial.len() as u64) {
            (true, 0) => 0,
            (true, count) => ty.bytes() * count,
            (false, _) => product(element, &dimensions),
        };
        if bytes > LARGEST_VARIABLE {
            let message = format!("variable `{name}` takes {bytes} bytes: at most {LARGEST_VARIABLE} are possible");
            return Err(self.error_at(line, message));
        }
        if initial.len() as u64 * ty.bytes() > bytes {
            return Err(self.error_at(line, format!("variable `{name}` has more initial values than elements")));
        }
        Ok(Variable { line, space, external, name, ty, align, bytes, initial })
    }

    fn initial(&mut self, out: &mut Vec<Initial>) -> Result<()> {
        if self.accept('{') {
            while !self.accept('}') {
                self.nested(|this| this.initial(out))?;
                if self.peek() != TokenKind::Punct('}') {
                    self.expect(',')?;
                }
            }
            return Ok(());
        }
        let negative = self.accept('-');
        out.push(match self.peek() {
            TokenKind::Ident(name) if !negative => {
                self.at += 1;
                let generic = name == "generic" && self.accept('(');
                let name = if generic { self.ident("a variable")? } else { name.to_string() };
                let mut offset = self.offset()?;
                if generic {
                    self.expect(')')?;
                    offset = offset.wrapping_add(self.offset()?);
                }
                Initial::Address { name, offset, generic }
            }
            TokenKind::Int(value) => {
                self.at += 1;
                Initial::Int(if negative { value.wrapping_neg() } else { value })
            }
            TokenKind::F32(bits) => {
                self.at += 1;
                Initial::F32(bits ^ (negative as u32) << 31)
            }
            TokenKind::F64(bits) => {
                self.at += 1;
                Initial::F64(bits ^ (negative as u64) << 63)
            }
            _ => return Err(self.expected("an initial value")),
        });
        Ok(())
    }

    /// The meaning of `name[i]`, of which the name has been read.
    fn element(&mut self, name: &str) -> Result<Operand> {
        let found = self.arrays.iter().rev().find(|(array, _)| *array == name);
        let Some(strides) = found.map(|(_, strides)| strides.clone()) else {
            return Err(self.error_at(self.line(), format!("`{name}` is no variable that has elements")));
        };
        let (mut offset, mut strides) = (0i64, strides.into_iter());
        while self.accept('[') {
            if let TokenKind::Ident(register) = self.peek() {
                let message =
                    format!("an index must be a number: compute the address of `{name}[{register}]` in a register");
                return Err(self.error_at(self.line(), message));
            }
            let index = (self.int("an index")? as i64).wrapping_add(self.offset()?);
            let Some(stride) = strides.next() else {
                return Err(self.error_at(self.line(), format!("variable `{name}` has fewer dimensions than this")));
            };
            offset = offset.wrapping_add(index.wrapping_mul(stride as i64));
            self.expect(']')?;
        }
        Ok(Operand::Element { name: name.to_string(), offset: offset.wrapping_add(self.offset()?) })
    }

    /// Any number of `+4` and `-4`.
    fn offset(&mut self) -> Result<i64> {
        let mut offset = 0i64;
        loop {
            if !self.accept('+') && self.peek() != TokenKind::Punct('-') {
                return Ok(offset);
            }
            offset = offset.wrapping_add(self.int("an offset")? as i64);
        }
    }

    fn block(&mut self) -> Result<Vec<Statement>> {
        let (open, outside) = (self.line(), self.arrays.len());
        self.expect('{')?;
        let mut statements = Vec::new();
        loop {
            let line = self.line();
            match self.peek() {
                TokenKind::Punct('}') => {
                    self.at += 1;
                    self.arrays.truncate(outside);
                    return Ok(statements);
                }
                TokenKind::End => return Err(self.error_at(open, "this `{` is not closed")),
                TokenKind::Punct(';') => self.at += 1,
                TokenKind::Punct('{') => statements.push(Statement::Block(self.nested(Self::block)?)),
                TokenKind::Dot("loc") => self.source_line()?,
                TokenKind::Dot("file") => self.source_file()?,
                TokenKind::Dot("pragma") => {
                    self.at += 1;
                    self.pragma(line, &mut statements)?;
                }
                TokenKind::Dot("reg") => {
                    self.at += 1;
                    self.registers(line, &mut statements)?;
                }
                TokenKind::Dot(word) if word == "extern" || is_linkage(word) || variable_space(word).is_some() => {
                    let mut external = false;
                    while let TokenKind::Dot(word) = self.peek() {
                        if word != "extern" && !is_linkage(word) {
                            break;
                        }
                        external |= word == "extern";
                        self.at += 1;
                    }
                    statements.extend(self.variables(external)?.into_iter().map(Statement::Variable));
                }
                TokenKind::Dot(word) => {
                    return Err(self.error_at(line, format!("unknown directive `.{word}`")));
                }
                TokenKind::Ident(name) if self.tokens[self.at + 1].kind == TokenKind::Punct(':') => {
                    self.at += 2;
                    let name = name.to_string();
                    statements.push(match self.targets()? {
                        Some(targets) => Statement::Targets { name, line, targets },
                        None => Statement::Label { name, line },
                    });
                }
                TokenKind::Ident(_) | TokenKind::Punct('@') => {
                    statements.push(Statement::Instruction(self.instruction()?));
                }
                _ => return Err(self.expected("an instruction, a declaration or `}`")),
            }
        }
    }

    /// Targets of a label: lists, or nothing of the kind.
    fn targets(&mut self) -> Result<Option<Targets>> {
        let TokenKind::Dot(word @ ("branchtargets" | "calltargets" | "callprototype")) = self.peek() else {
            return Ok(None);
        };
        self.at += 1;
        let targets = match word {
            "branchtargets" => Targets::Branch(self.names("a label")?),
            "calltargets" => Targets::Call(self.names("a function")?),
            _ => {
                let returns = if self.peek() == TokenKind::Punct('(') { self.params()? } else { Vec::new() };
                self.ident("`_`")?;
                let params = if self.peek() == TokenKind::Punct('(') { self.params()? } else { Vec::new() };
                while self.accept_dot("noreturn") {}
                Targets::Prototype { returns, params }
            }
        };
        self.expect(';')?;
        Ok(Some(targets))
    }

    fn names(&mut self, what: &str) -> Result<Vec<String>> {
        let mut names = vec![self.ident(what)?];
        while self.accept(',') {
            names.push(self.ident(what)?);
        }
        Ok(names)
    }

    fn pragma(&mut self, line: u32, statements: &mut Vec<Statement>) -> Result<()> {
        loop {
            let TokenKind::Str(text) = self.peek() else { return Err(self.expected("a string")) };
            self.at += 1;
            statements.push(Statement::Pragma { text: text.to_string(), line });
            if !self.accept(',') {
                return self.expect(';');
            }
        }
    }

    fn registers(&mut self, line: u32, statements: &mut Vec<Statement>) -> Result<()> {
        let ty = match self.peek() {
            TokenKind::Dot(word) => {
                Type::parse(word).ok_or_else(|| self.error_at(line, format!("unknown register type `.{word}`")))?
            }
            _ => return Err(self.expected("the type of the registers")),
        };
        self.at += 1;
        loop {
            let name = self.ident("a register")?;
            let mut count = None;
            if self.accept('<') {
                count = Some(self.int("the number of registers")?);
                self.expect('>')?;
            }
            statements.push(Statement::Register { name, count, ty, line });
            if !self.accept(',') {
                return self.expect(';');
            }
        }
    }

    fn instruction(&mut self) -> Result<Instruction> {
        let (first, line) = (self.tokens[self.at].start, self.line());
        let mut guard = None;
        if self.accept('@') {
            let negated = self.accept('!');
            guard = Some((self.ident("a predicate")?, negated));
        }
        let opcode = self.ident("an instruction")?;
        let mut modifiers = Vec::new();
        while let TokenKind::Dot(word) = self.peek() {
            modifiers.push(word.to_string());
            self.at += 1;
        }
        let mut operands = Vec::new();
        if self.peek() != TokenKind::Punct(';') {
            loop {
                operands.push(self.operand()?);
                if !self.accept(',') {
                    break;
                }
            }
        }
        let last = self.tokens[self.at].start;
        self.expect(';')?;
        let text = self.text[first..last].split_whitespace().collect::<Vec<_>>().join(" ");
        Ok(Instruction { line, source: self.source, text, guard, opcode, modifiers, operands })
    }

    fn operand(&mut self) -> Result<Operand> {
        let first = self.simple_operand()?;
        if self.accept('|') {
            return Ok(Operand::Pair(Box::new(first), Box::new(self.simple_operand()?)));
        }
        Ok(first)
    }

    fn list(&mut self, close: char) -> Result<Vec<Operand>> {
        let mut operands = Vec::new();
        while !self.accept(close) {
            operands.push(self.nested(Self::operand)?);
            if self.peek() != TokenKind::Punct(close) {
                self.expect(',')?;
            }
        }
        Ok(operands)
    }

    fn simple_operand(&mut self) -> Result<Operand> {
        match self.advance() {
            TokenKind::Ident(name) if self.peek() == TokenKind::Punct('[') => self.element(name),
            TokenKind::Ident(name) => {
                let name = name.to_string();
                if let TokenKind::Dot(component) = self.peek() {
                    self.at += 1;
                    return Ok(Operand::Name { name, component: Some(component.to_string()), offset: 0 });
                }
                Ok(Operand::Name { name, component: None, offset: self.offset()? })
            }
            TokenKind::Int(value) => Ok(Operand::Int(value)),
            TokenKind::F32(bits) => Ok(Operand::F32(bits)),
            TokenKind::F64(bits) => Ok(Operand::F64(bits)),
            TokenKind::Punct('-') => match self.nested(Self::simple_operand)? {
                Operand::Int(value) => Ok(Operand::Int(value.wrapping_neg())),
                Operand::F32(bits) => Ok(Operand::F32(bits ^ 1 << 31)),
                Operand::F64(bits) => Ok(Operand::F64(bits ^ 1 << 63)),
                _ => {
                    self.at -= 1;
                    Err(self.expected("a number after `-`"))
                }
            },
            TokenKind::Punct('~') => Ok(Operand::Int(!self.int("a number after `~`")?)),
            TokenKind::Punct('!') => Ok(Operand::Not(Box::new(self.nested(Self::simple_operand)?))),
            TokenKind::Punct('{') => Ok(Operand::Vector(self.list('}')?)),
            TokenKind::Punct('(') => Ok(Operand::Group(self.list(')')?)),
            TokenKind::Punct('[') => {
                let base = match self.peek() {
                    TokenKind::Ident(name) => {
                        self.at += 1;
                        Some(name.to_string())
                    }
                    _ => None,
                };
                let offset = if base.is_some() { self.offset()? } else { self.int("an address")? as i64 };
                if let (Some(name), 0, true) = (&base, offset, self.accept(',')) {
                    let handle = Box::new(Operand::Name { name: name.clone(), component: None, offset });
                    let coordinates = Box::new(self.nested(Self::simple_operand)?);
                    self.expect(']')?;
                    return Ok(Operand::Texture { handle, coordinates });
                }
                self.expect(']')?;
                Ok(Operand::Memory { base, offset })
            }
            _ => {
                self.at -= 1;
                Err(self.expected("an operand"))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(text: &str) -> Vec<Statement> {
        parse("t.ptx", &format!(".visible .entry k()\n{{{text}}}")).unwrap().functions.remove(0).body.unwrap()
    }

    fn message(text: &str) -> String {
        parse("t.ptx", text).unwrap_err().to_string()
    }

    #[test]
    fn an_instruction_with_everything() {
        let body = body("@!%p1 ld.global.v2.u32 {%r1, _}, [%rd1 + -8];");
        let Statement::Instruction(i) = &body[0] else { panic!("{body:?}") };
        assert_eq!(i.guard, Some(("%p1".into(), true)));
        assert_eq!(i.opcode, "ld");
        assert_eq!(i.modifiers, ["global", "v2", "u32"]);
        assert_eq!(i.operands[1], Operand::Memory { base: Some("%rd1".into()), offset: -8 });
        assert_eq!(i.text, "@!%p1 ld.global.v2.u32 {%r1, _}, [%rd1 + -8]");
    }

    #[test]
    fn variables_take_what_their_type_and_dimensions_say() {
        let file = parse(
            "t.ptx",
            ".visible .global .align 16 .f32 a[2][3] = {{0f3F800000, 1.0}, {-2.5}};
             .extern .shared .align 4 .b8 s[];
             .const .u32 x, y = -1;
             .global .u64 p = generic(a)+4;",
        )
        .unwrap();
        let sizes: Vec<_> = file.variables.iter().map(|v| (v.name.as_str(), v.bytes, v.align, v.external)).collect();
        assert_eq!(
            sizes,
            [("a", 24, 16, false), ("s", 0, 4, true), ("x", 4, 4, false), ("y", 4, 4, false), ("p", 8, 8, false)]
        );
        assert_eq!(file.variables[0].initial[2], Initial::F64((-2.5f64).to_bits()));
        assert_eq!(file.variables[4].initial, [Initial::Address { name: "a".into(), offset: 4, generic: true }]);
    }

    #[test]
    fn scopes_labels_pragmas_and_debug_information() {
        let body = body(
            "\n.loc 1 5 3, function_name $L__info, inlined_at 1 2 3\n\
             L: .pragma \"nounroll\", \"x\";\n{ .reg .b32 t<3>, u; mov.u32 u, 1; }",
        );
        assert!(matches!(&body[0], Statement::Label { name, line: 4 } if name == "L"), "{body:?}");
        assert!(matches!(&body[2], Statement::Pragma { text, .. } if text == "x"));
        assert!(matches!(&body[3], Statement::Block(inner) if inner.len() == 3));
    }

    #[test]
    fn messages_name_the_line_and_what_is_there() {
        assert_eq!(message("\n.visible 5"), "t.ptx:2: expected a variable, `.entry` or `.func`, found `5`");
        assert_eq!(message(".entry k() {\n add.s32 %r1 %r2;\n}"), "t.ptx:2: expected `;`, found `%r2`");
        assert_eq!(message(".entry k() {\n ret;"), "t.ptx:1: this `{` is not closed");
        assert_eq!(message(".entry k() { .frob; }"), "t.ptx:1: unknown directive `.frob`");
        assert_eq!(message(&format!(".entry k() {}", "{".repeat(1000))), "t.ptx:1: nested more than 200 deep");
        assert!(message(".global .b8 x[99999999999];").contains("takes 99999999999 bytes"));
        assert!(message(".address_size 32").contains("only `.address_size 64`"));
    }
}
