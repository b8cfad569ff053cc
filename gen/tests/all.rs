//! All tests in one program: they share what takes seconds to elaborate, and none of them has the processors for itself.

mod area_page;
mod budgets;
mod buffer;
mod committed;
mod common;
mod exceptions;
mod hand;
mod layout;
mod meaning;
mod output;
mod refused;
mod small;
mod synthesis;
mod verilog_text;
mod wrappers;
