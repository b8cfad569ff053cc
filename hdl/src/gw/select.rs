//! One of several by its number, where there are fewer than the number has values.

use crate::circuit::net::Net;

/// `count` bits named `name`, of which the one of this number is high; none, if there are not so many.
pub fn select<'a>(name: &str, number: Net<'a>, count: usize) -> Net<'a> {
    let all = number.decode();
    let width = all.width();
    if count == width {
        return all.name(name);
    }
    let all = all.name(format!("{name}_of_all"));
    let _ = all.slice(count, width - count).name(format!("unused_{name}"));
    all.slice(0, count).name(name)
}
