//! Votes, shuffles and special registers.

use super::lane::{run, Row};

fn lanes(f: impl Fn(u32) -> u32) -> Row {
    std::array::from_fn(|lane| u64::from(f(lane as u32)))
}

#[test]
fn votes_count_only_the_lanes_that_take_part() {
    let a = lanes(|lane| u32::from(lane % 2 == 0));
    let ballot = run("setp.ne.u32 %p0, %a, 0; vote.ballot.b32 %d, %p0;", "b32", &[("b32", a)]);
    assert_eq!(ballot, [0x5555_5555; 32]);
    let even_only = "setp.ne.u32 %p0, %a, 0; mov.u32 %d, 9; @%p0 vote.sync.ballot.b32 %d, !%p0, 0xffffffff;";
    assert_eq!(run(even_only, "b32", &[("b32", a)]), lanes(|lane| if lane % 2 == 0 { 0 } else { 9 }));
    let vote = |op: &str, guard: &str| {
        let body = format!(
            "setp.ne.u32 %p0, %a, 0; mov.pred %p1, 0; {guard} vote.{op}.pred %p1, %p0; selp.u32 %d, 1, 0, %p1;"
        );
        run(&body, "b32", &[("b32", a)])[0]
    };
    assert_eq!([vote("all", ""), vote("any", ""), vote("uni", "")], [0, 1, 0]);
    assert_eq!([vote("all", "@%p0"), vote("uni", "@%p0")], [1, 1]);
    assert_eq!(run("activemask.b32 %d;", "b32", &[]), [0xFFFF_FFFF; 32]);
}

#[test]
fn shuffles() {
    let a = lanes(|lane| 100 + lane);
    let shuffle =
        |text: &str| run(&format!("{text} selp.u32 %r0, 1000, 0, %p0; add.u32 %d, %d, %r0;"), "b32", &[("b32", a)]);
    let expect = |f: &dyn Fn(u32) -> Option<u32>| lanes(|lane| f(lane).map_or(100 + lane, |from| 1100 + from));
    assert_eq!(shuffle("shfl.up.b32 %d|%p0, %a, 3, 0;"), expect(&|lane| lane.checked_sub(3)));
    assert_eq!(shuffle("shfl.down.b32 %d|%p0, %a, 5, 0x1f;"), expect(&|lane| (lane + 5 < 32).then_some(lane + 5)));
    assert_eq!(shuffle("shfl.bfly.b32 %d|%p0, %a, 1, 0x1f;"), expect(&|lane| Some(lane ^ 1)));
    assert_eq!(shuffle("shfl.idx.b32 %d|%p0, %a, 7, 0x1f;"), expect(&|_| Some(7)));
    // Segments of eight lanes.
    assert_eq!(shuffle("shfl.sync.idx.b32 %d|%p0, %a, 2, 0x181f, -1;"), expect(&|lane| Some(lane / 8 * 8 + 2)));
    assert_eq!(shuffle("shfl.down.b32 %d|%p0, %a, 1, 0x181f;"), expect(&|lane| (lane % 8 < 7).then_some(lane + 1)));
}

#[test]
fn lanes_know_themselves() {
    let special = |name: &str| run(&format!("mov.u32 %d, {name};"), "b32", &[]);
    assert_eq!(special("%laneid"), lanes(|lane| lane));
    // As PTX 1 reads them: the low 16 bits.
    for read in ["mov.u16 %h0, %lanemask_ge; cvt.u32.u16 %d, %h0;", "cvt.u32.u16 %d, %lanemask_ge;"] {
        assert_eq!(run(read, "b32", &[]), lanes(|lane| u32::from((u32::MAX << lane) as u16)), "{read}");
    }
    assert_eq!(special("%lanemask_lt"), lanes(|lane| (1 << lane) - 1));
    assert_eq!(special("%lanemask_eq"), lanes(|lane| 1 << lane));
    assert_eq!(special("%lanemask_ge"), lanes(|lane| u32::MAX << lane));
    assert_eq!(special("%lanemask_gt"), lanes(|lane| (u32::MAX << lane) << 1));
    assert_eq!(special("%lanemask_le"), lanes(|lane| u32::MAX >> (31 - lane)));
    assert_eq!(special("%ntid.x"), lanes(|_| 32));
}
