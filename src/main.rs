//! Starts the command.

#![forbid(unsafe_code)]

fn main() -> std::process::ExitCode {
    unruly::main()
}
