//! The kernels of the calibration set: what goes into their buffers, and what plain arithmetic says must come out.
//!
//! Buffers of any other kernel are read from `inputs/RUN/BUFFER.bin` of the calibration folder, and its results are not checked.

use sim::graph::{self, Graph};
use std::collections::BTreeMap;

/// Buffers of 32-bit words by name.
pub type Buffers = BTreeMap<String, Vec<u32>>;

/// SplitMix64.
pub struct Draw(u64);

impl Draw {
    pub fn new(seed: u64) -> Self {
        Draw(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e3779b97f4a7c15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58476d1ce4e5b9);
        let z = (z ^ z >> 27).wrapping_mul(0x94d049bb133111eb);
        z ^ z >> 31
    }
}

/// A launch with its scalar arguments, buffers left out.
#[derive(Clone, Default)]
pub struct Launch {
    pub grid: [u32; 3],
    pub block: [u32; 3],
    pub scalars: Vec<Scalar>,
}

#[derive(Clone, Copy)]
pub enum Scalar {
    Integer(u32),
    Float(f32),
}

impl Launch {
    fn integer(&self, place: usize) -> u32 {
        match self.scalars.get(place) {
            Some(Scalar::Integer(value)) => *value,
            _ => 0,
        }
    }

    fn float(&self, place: usize) -> f32 {
        match self.scalars.get(place) {
            Some(Scalar::Float(value)) => *value,
            _ => 0.0,
        }
    }

    /// Block and thread of every thread of a one-dimensional launch.
    fn threads(&self) -> impl Iterator<Item = (u32, u32)> {
        let (blocks, threads) = (self.grid[0], self.block[0]);
        (0..blocks).flat_map(move |block| (0..threads).map(move |thread| (block, thread)))
    }

    fn per_thread(&self, value: impl Fn(u32, u32) -> u32) -> Vec<u32> {
        self.threads().map(|(block, thread)| value(block * self.block[0] + thread, thread)).collect()
    }
}

/// The words that the host copies into a buffer. `None`: the kernel or buffer is not known.
pub fn input(kernel: &str, buffer: &str, words: usize, draw: &mut Draw) -> Option<Vec<u32>> {
    let mut each = |value: &mut dyn FnMut(u64) -> u32| Some((0..words).map(|_| value(draw.next())).collect());
    match (kernel, buffer) {
        ("copy_coalesced" | "copy_strided", "in") => each(&mut |d| d as u32),
        ("matmul_shared", "a" | "b") => each(&mut |d| ((d % 17) as f32 - 8.0).to_bits()),
        ("div_sqrt_sin", "in") => each(&mut |d| 3 + (d % 1000) as u32),
        ("pointer_chase", "next") => Some((0..words as u32).map(|i| (i + 32) % words as u32).collect()),
        ("atomic_same_address", "counter") | ("bfs_topo", "changed") => Some(vec![0; words]),
        ("atomic_distinct", "counter") => Some(vec![1; words]),
        ("bfs_topo", "row") => graph(words.checked_sub(1)?).map(|g| g.row),
        ("bfs_topo", "col") => {
            UNIFORM_NODES.iter().filter_map(|n| graph(*n)).map(|g| g.col).find(|col| col.len() == words)
        }
        ("bfs_topo", "dist") => Some((0..words).map(|v| if v == 0 { 0 } else { u32::MAX }).collect()),
        _ => None,
    }
}

/// Sizes of the graphs of the set.
const UNIFORM_NODES: [usize; 2] = [16384, 65536];

fn graph(nodes: usize) -> Option<Graph> {
    graph::open(&format!("gen:uniform:{nodes}:seed=1")).ok()
}

/// Results as words, or as numbers with a tolerance.
pub enum Expected {
    Words(Vec<u32>),
    Close(Vec<f32>, f32),
}

impl Expected {
    /// Index, value and expectation of the first difference.
    pub fn difference(&self, words: &[u32]) -> Option<String> {
        match self {
            Expected::Words(right) => {
                let i = (0..right.len()).find(|&i| words.get(i) != Some(&right[i]))?;
                Some(format!("[{i}] is {:?}, not {}", words.get(i), right[i]))
            }
            Expected::Close(right, tolerance) => {
                let value = |i: usize| words.get(i).map_or(f32::NAN, |w| f32::from_bits(*w));
                let is_close = |i: usize| (value(i) - right[i]).abs() <= *tolerance;
                let i = (0..right.len()).find(|&i| !is_close(i))?;
                Some(format!("[{i}] is {}, not {} within {tolerance}", value(i), right[i]))
            }
        }
    }
}

/// The buffers' contents after the last launch. Empty: the kernel is not known. A run that names a kernel of the set
/// and is not of it may lack buffers or arguments, and gets something that its results cannot be.
pub fn expected(kernel: &str, launch: &Launch, buffers: &Buffers) -> Vec<(&'static str, Expected)> {
    let words = |name: &str| buffers.get(name).map_or(&[][..], Vec::as_slice);
    let one = |name, value| vec![(name, Expected::Words(value))];
    match kernel {
        "copy_coalesced" => one("out", words("in").to_vec()),
        "copy_strided" => one("out", copy_strided(launch, words("in"))),
        "pointer_chase" => {
            let step = |p: u32, _| word(words("next"), p as usize);
            one("out", vec![(0..launch.integer(1)).fold(launch.integer(0), step)])
        }
        "matmul_shared" => one("c", matmul(launch.integer(0) as usize, words("a"), words("b"))),
        "atomic_same_address" => one("counter", vec![launch.grid[0].wrapping_mul(launch.block[0])]),
        "atomic_distinct" => one("counter", atomic_distinct(launch, words("counter").len())),
        "bfs_topo" => one("dist", bfs(words("row"), words("col"))),
        "fma_chain" => one("out", fma_chain(launch)),
        "fma_independent" => one("out", fma_independent(launch)),
        "divergent_loop" => {
            one("out", launch.per_thread(|i, thread| divergent(i, (thread % 32).wrapping_mul(launch.integer(0)))))
        }
        "shared_bank_conflict" => {
            let (stride, steps) = (launch.integer(0), launch.integer(1));
            one(
                "out",
                launch
                    .per_thread(|_, thread| thread.wrapping_mul(stride).wrapping_add(64u32.wrapping_mul(steps)) % 2048),
            )
        }
        "div_sqrt_sin" => div_sqrt_sin(launch, words("in")),
        "local_array" => one("out", launch.per_thread(|i, _| local_array(i, launch.integer(0)))),
        _ => Vec::new(),
    }
}

/// Beyond the end 0.
fn word(words: &[u32], place: usize) -> u32 {
    words.get(place).copied().unwrap_or(0)
}

fn copy_strided(launch: &Launch, from: &[u32]) -> Vec<u32> {
    let (n, stride) = (launch.integer(0) as usize, launch.integer(1).max(1) as usize);
    (0..from.len()).map(|i| if i % stride == 0 && i / stride < n { from[i] } else { 0 }).collect()
}

fn matmul(n: usize, a: &[u32], b: &[u32]) -> Vec<u32> {
    let n = if a.len() == n.saturating_mul(n) { n } else { 0 };
    let number = |m: &[u32], row: usize, column: usize| f32::from_bits(word(m, row * n + column)) as i64;
    let element = |row, column| (0..n).map(|k| number(a, row, k) * number(b, k, column)).sum::<i64>() as f32;
    (0..n * n).map(|i| element(i / n, i % n).to_bits()).collect()
}

fn atomic_distinct(launch: &Launch, words: usize) -> Vec<u32> {
    let mut counter = vec![1u32; words];
    for i in 0..launch.grid[0] * launch.block[0] {
        if let Some(count) = counter.get_mut(i.wrapping_mul(launch.integer(0)) as usize) {
            *count = count.wrapping_add(i);
        }
    }
    counter
}

fn bfs(row: &[u32], col: &[u32]) -> Vec<u32> {
    let mut dist = vec![u32::MAX; row.len().saturating_sub(1)];
    dist.first_mut().into_iter().for_each(|first| *first = 0);
    let mut queue = std::collections::VecDeque::from([0usize]);
    while let Some(v) = queue.pop_front() {
        let ends = word(row, v) as usize..word(row, v + 1) as usize;
        for u in col.get(ends).unwrap_or_default().iter().map(|u| *u as usize) {
            if dist.get(u) == Some(&u32::MAX) {
                dist[u] = dist[v] + 1;
                queue.push_back(u);
            }
        }
    }
    dist
}

fn fma_chain(launch: &Launch) -> Vec<u32> {
    let (a, b, rounds) = (launch.float(0), launch.float(1), launch.integer(2));
    launch.per_thread(|_, thread| (0..16 * rounds).fold(thread as f32, |x, _| x.mul_add(a, b)).to_bits())
}

fn fma_independent(launch: &Launch) -> Vec<u32> {
    let (a, b, rounds) = (launch.float(0), launch.float(1), launch.integer(2));
    launch.per_thread(|_, thread| {
        let x: Vec<f32> =
            (0..8).map(|k| (0..4 * rounds).fold(thread as f32 + k as f32, |x, _| x.mul_add(a, b))).collect();
        (((x[0] + x[1]) + (x[2] + x[3])) + ((x[4] + x[5]) + (x[6] + x[7]))).to_bits()
    })
}

fn divergent(start: u32, trips: u32) -> u32 {
    (0..trips).fold(start, |x, _| x.wrapping_mul(1664525).wrapping_add(1013904223 ^ (x >> 16)))
}

fn div_sqrt_sin(launch: &Launch, input: &[u32]) -> Vec<(&'static str, Expected)> {
    let rounds = launch.integer(0);
    let integer = |i: u32| {
        let step = |u: u32, r: u32| {
            let by = word(input, i as usize);
            u.checked_div(by)
                .unwrap_or(u32::MAX)
                .wrapping_add((u % r.wrapping_add(7).max(1)).wrapping_mul(977))
                .wrapping_add(0x70000000)
        };
        (0..rounds).fold(0xf0000000 + i, step)
    };
    let float = |thread: u32| (0..rounds).fold(thread as f32 + 1.0, |f, _| ((f + 2.0).sqrt() + f.sin()) * 0.5 + 1.0);
    let floats = launch.threads().map(|(_, thread)| float(thread)).collect();
    vec![("out_u", Expected::Words(launch.per_thread(|i, _| integer(i)))), ("out_f", Expected::Close(floats, 1e-3))]
}

fn local_array(i: u32, rounds: u32) -> u32 {
    let mut a: [u32; 16] = std::array::from_fn(|k| i.wrapping_add(k as u32));
    let (mut j, mut x) = (0, 0u32);
    for _ in 0..rounds {
        x = x.wrapping_add(a[j]);
        j = (j + 5) % 16;
        a[j] = x;
    }
    x
}
