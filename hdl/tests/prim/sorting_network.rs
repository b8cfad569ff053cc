//! Networks sort every input of zeros and ones, and therefore everything.

use hdl::prim::sorting_network::{best_known, bitonic, cells, odd_even_merge, shallow, Layer, Network};
use varisat::{ExtendFormula, Lit, Solver};

/// 0-1 principle: a network that sorts all inputs of zeros and ones sorts everything. Input `v` is bit `v` of each
/// place, 64 of them a word.
fn sorts(network: &Network, items: usize) -> bool {
    let inputs = 1usize << items;
    (0..inputs.div_ceil(64)).all(|word| {
        let mut places: Vec<u64> = (0..items)
            .map(|place| (0..64).fold(0, |bits, i| bits | ((((word * 64 + i) >> place) & 1) as u64) << i))
            .collect();
        for &(a, b) in network.iter().flatten() {
            (places[a], places[b]) = (places[a] & places[b], places[a] | places[b]);
        }
        places.windows(2).all(|pair| pair[0] & !pair[1] == 0)
    })
}

fn well_formed(network: &Network, items: usize) -> bool {
    network.iter().all(|layer| {
        let mut places: Vec<usize> = layer.iter().flat_map(|&(a, b)| [a, b]).collect();
        places.sort_unstable();
        let distinct = places.windows(2).all(|pair| pair[0] != pair[1]);
        distinct && !layer.is_empty() && layer.iter().all(|&(a, b)| a < b && b < items)
    })
}

#[test]
fn every_network_sorts() {
    for items in 2..=16 {
        let networks = [Some(odd_even_merge(items)), Some(bitonic(items)), best_known(items), shallow(items)];
        for network in networks.iter().flatten() {
            assert!(well_formed(network, items), "{items} items: {network:?}");
            assert!(sorts(network, items), "{items} items: {network:?}");
        }
    }
}

#[test]
fn a_network_without_one_cell_does_not_sort() {
    for network in [best_known(16).unwrap(), shallow(16).unwrap()] {
        for (layer, cells) in network.iter().enumerate() {
            for cell in 0..cells.len() {
                let mut broken = network.clone();
                broken[layer].remove(cell);
                assert!(!sorts(&broken, 16), "layer {layer} does not need cell {cell}");
            }
        }
    }
}

/// Places of zeros and ones after a network.
fn through(network: &[Layer], mut places: Vec<bool>) -> Vec<bool> {
    for &(a, b) in network.iter().flatten() {
        (places[a], places[b]) = (places[a] & places[b], places[a] | places[b]);
    }
    places
}

/// Beyond 2^16 inputs by composition: the first layers are the same network on each half, which sorts the halves; the
/// rest merges every two sorted halves of zeros and ones, of which there are few.
#[test]
fn networks_of_32_and_64_sort_halves_and_merge_them() {
    for make in [odd_even_merge, bitonic] {
        assert!(sorts(&make(16), 16));
        for items in [32, 64] {
            let (network, half) = (make(items), make(items / 2));
            let (first, rest) = network.split_at(half.len());
            for (layer, of_half) in first.iter().zip(&half) {
                let upper = of_half.iter().map(|&(a, b)| (a + items / 2, b + items / 2));
                let mut both: Vec<_> = of_half.iter().copied().chain(upper).collect();
                both.sort_unstable();
                let mut layer = layer.clone();
                layer.sort_unstable();
                assert_eq!(layer, both);
            }
            for (low, high) in (0..=items / 2).flat_map(|l| (0..=items / 2).map(move |h| (l, h))) {
                let sorted = |zeros: usize| (0..items / 2).map(move |place| place >= zeros);
                let out = through(rest, sorted(low).chain(sorted(high)).collect());
                assert!(out.is_sorted(), "{items} items, {low} and {high} zeros");
            }
        }
    }
}

/// Some input of zeros and ones leaves the network unsorted, says a SAT solver. A cell is an AND and an OR.
fn some_input_stays_unsorted(network: &Network, items: usize) -> bool {
    let mut solver = Solver::new();
    let mut places: Vec<Lit> = (0..items).map(|_| solver.new_lit()).collect();
    for &(a, b) in network.iter().flatten() {
        let (x, y) = (places[a], places[b]);
        let (least, most) = (solver.new_lit(), solver.new_lit());
        let and = [vec![!least, x], vec![!least, y], vec![least, !x, !y]];
        let or = [vec![most, !x], vec![most, !y], vec![!most, x, y]];
        // A fact that a solver would find out again and again: a cell's least is not above its most.
        let order = [vec![!least, most]];
        and.iter().chain(&or).chain(&order).for_each(|clause| solver.add_clause(clause));
        (places[a], places[b]) = (least, most);
    }
    let inversions: Vec<Lit> = places
        .windows(2)
        .map(|pair| {
            let inverted = solver.new_lit();
            solver.add_clause(&[!inverted, pair[0]]);
            solver.add_clause(&[!inverted, !pair[1]]);
            inverted
        })
        .collect();
    solver.add_clause(&inversions);
    solver.solve().unwrap()
}

#[test]
fn a_solver_finds_no_input_that_stays_unsorted() {
    for items in [4, 8, 16] {
        let networks = [Some(odd_even_merge(items)), Some(bitonic(items)), best_known(items), shallow(items)];
        for network in networks.iter().flatten() {
            assert!(!some_input_stays_unsorted(network, items), "{items} items");
            let mut broken = network.clone();
            broken.last_mut().unwrap().pop();
            assert!(some_input_stays_unsorted(&broken, items), "{items} items, without a cell");
        }
    }
}

#[test]
fn a_solver_proves_the_networks_of_32() {
    for network in [odd_even_merge(32), bitonic(32)] {
        assert!(!some_input_stays_unsorted(&network, 32));
        let mut broken = network.clone();
        broken[7].pop();
        assert!(some_input_stays_unsorted(&broken, 32), "without a cell of layer 7");
    }
}

#[test]
fn sizes_are_those_of_the_literature() {
    let size = |n: &Network| (cells(n), n.len());
    assert_eq!(size(&best_known(16).unwrap()), (60, 10));
    assert_eq!(size(&shallow(16).unwrap()), (61, 9));
    let batcher = [(2, 1, 1), (4, 5, 3), (8, 19, 6), (16, 63, 10), (32, 191, 15), (64, 543, 21)];
    for (items, cells, layers) in batcher {
        assert_eq!(size(&odd_even_merge(items)), (cells, layers), "{items} items");
    }
    for (items, cells, layers) in [(4, 6, 3), (8, 24, 6), (16, 80, 10), (32, 240, 15)] {
        assert_eq!(size(&bitonic(items)), (cells, layers), "{items} items");
    }
    assert!(best_known(8).is_none());
}
