//! Parts of the model that a run spends its time in, each by itself.

use divan::counter::ItemsCount;
use divan::{black_box, Bencher};
use sim::config::Config;
use sim::gpu::{Gpu, Launch};
use sim::mem::cache::Cache;
use sim::mem::request::Kind;
use sim::ptx::Module;

const TEXT: &str = include_str!("../src/kernels/bfs_topo.ptx");

fn main() {
    divan::main();
}

fn config() -> Config {
    Config::preset("calibration-gtx480").expect("a preset")
}

/// From text to a decoded program.
#[divan::bench]
fn parse_and_decode(bencher: Bencher) {
    bencher.bench(|| {
        let module = Module::parse("bfs_topo.ptx", black_box(TEXT)).expect("PTX");
        module.kernel(module.entries()[0]).expect("a kernel").code.len()
    });
}

/// Look-ups that hit, one of each line of an L1.
#[divan::bench]
fn l1_hits(bencher: Bencher) {
    let shape = (&config().l1d).into();
    let mut cache = Cache::new(0, Kind::Read, shape);
    for line in 0..128u64 {
        cache.read(128 * line, line);
        cache.outgoing.clear();
        (0..4).for_each(|sector| cache.fill(128 * line + 32 * sector));
        while cache.take_ready().is_some() {}
    }
    bencher.counter(ItemsCount::new(128usize)).bench_local(|| {
        for line in 0..128u64 {
            black_box(cache.read(128 * line, line));
        }
    });
}

/// A launch of one warp of arithmetic: what a warp instruction costs when nothing waits for memory.
#[divan::bench]
fn warp_instructions(bencher: Bencher) {
    const LOOP: &str = "
        .version 3.2
        .target sm_35
        .address_size 64
        .visible .entry spin()
        {
            .reg .pred %p<2>;
            .reg .b32 %r<4>;
            mov.u32 %r1, 0;
            mov.u32 %r2, %tid.x;
        again:
            mad.lo.u32 %r2, %r2, 5, 1;
            xor.b32 %r3, %r2, %r1;
            add.u32 %r1, %r1, 1;
            setp.lt.u32 %p1, %r1, 1000;
            @%p1 bra again;
            ret;
        }";
    let program = Module::parse("spin.ptx", LOOP).expect("PTX").kernel("spin").expect("a kernel");
    let launch = Launch { grid: [15, 1, 1], block: [256, 1, 1], ..Launch::default() };
    let mut gpu = Gpu::new(&config(), Vec::new());
    let issued = gpu.launch(&program, &launch).expect("a run").core.warp_instructions;
    bencher.counter(ItemsCount::new(issued)).bench_local(|| gpu.launch(&program, &launch).expect("a run").cycles);
}
