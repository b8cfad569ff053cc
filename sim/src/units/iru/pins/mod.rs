//! Pins of the reorder unit's parts, as listed in `docs/iru.md`.

mod bank;
mod fp32_add;
mod hash;
mod iru;
mod partition;
mod prefetcher;
mod replier;
mod routing;
mod storage;

use super::element::{Element, BEAT, INDEX_BITS};
use crate::unit::Pin;
use crate::units::fields::{fields, flag, group, offer};

pub use crate::units::fields::{Fields, Offer};
pub use bank::{reorder_bank_interface, BankBeat, ReorderBankIn, ReorderBankOut};
pub use fp32_add::{fp32_add_interface, Fp32AddIn, Fp32AddOut};
pub use hash::{iru_hash_interface, IruHashIn, IruHashOut};
pub use iru::{iru_interface, IruIn, IruOut};
pub use partition::{
    iru_partition_interface, CoreIn, CoreOut, IruPartitionIn, IruPartitionOut, JobPins, RingIn, RingOut,
};
pub use prefetcher::{prefetcher_interface, ElementGroup, LineRequest, PrefetcherIn, PrefetcherOut, SectorData};
pub use replier::{data_replier_interface, BankView, DataReplierIn, DataReplierOut, Reply, TakeOrder, Token};
pub use routing::{
    classifier_interface, ring_stop_interface, ClassifierIn, ClassifierOut, RingStopIn, RingStopOut, BANK_0, BANK_1,
    CCW, CW,
};
pub use storage::{queue_interface, sram_1r1w_interface, QueueIn, QueueOut, SramIn, SramOut, Wide, MAX_WIDTH};

/// A [`group!`] that is all inputs or all outputs of a unit.
macro_rules! pins {
    ($(#[$doc:meta])* $name:ident { $($body:tt)* }) => {
        $crate::units::fields::group! { $(#[$doc])* $name { $($body)* } }

        impl $crate::unit::Pins for $name {
            #[inline]
            fn store(&self, words: &mut [u64]) {
                $crate::units::fields::Fields::put(self, words);
            }
            #[inline]
            fn load(&mut self, words: &[u64]) {
                $crate::units::fields::Fields::get(self, words);
            }
        }
    };
}
use pins;

fields! { Element { index: u32, secondary: u32, position: u32, } }

/// `name_index`, `name_secondary`, `name_position`, each with `suffix`.
fn element_words(name: &str, suffix: &str) -> [Pin; 3] {
    [("index", INDEX_BITS), ("secondary", 32), ("position", INDEX_BITS)]
        .map(|(field, width)| Pin::new(format!("{name}_{field}{suffix}"), width))
}

/// The element `name`.
fn element(name: &str) -> Vec<Pin> {
    offer(&format!("{name}_valid"), element_words(name, ""))
}

/// The elements of a beat: `name_index_0` to `name_position_3`, each with `suffix`.
fn beat_words(name: &str, suffix: &str) -> Vec<Pin> {
    (0..BEAT).flat_map(|j| element_words(name, &format!("_{j}{suffix}"))).collect()
}

fn access() -> [Pin; 2] {
    [Pin::new("target", 39), Pin::new("size", 3)]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::{words, Condition, Interface, Pins};
    use crate::units::iru::Parameters;
    use std::collections::BTreeSet;

    /// Every word comes back as it went, the pin list has as many, no name is there twice, and conditions name pins.
    fn round_trip<P: Pins>(pins: &[Pin]) {
        let masks: Vec<u64> = pins
            .iter()
            .flat_map(|pin| (0..pin.words() as u32).map(|w| u64::MAX >> (64 - (pin.width - 64 * w).min(64))))
            .collect();
        let numbers: Vec<u64> = (0u64..).zip(&masks).map(|(i, mask)| (i * 37 + 11) & mask).collect();
        assert_eq!(numbers.len(), words(pins));
        let mut group = P::for_pins(pins);
        group.load(&numbers);
        let mut again = vec![0; numbers.len()];
        group.store(&mut again);
        assert_eq!(numbers, again, "{pins:?}");
        for condition in pins.iter().flat_map(|pin| &pin.valid_if) {
            let pin = pins.iter().find(|pin| pin.name == condition.pin).expect("a pin of that name");
            assert!(condition.lsb + condition.width <= pin.width, "{}", pin.name);
        }
    }

    fn check<I: Pins, O: Pins>(interface: Interface) {
        round_trip::<I>(&interface.inputs);
        round_trip::<O>(&interface.outputs);
        let all: Vec<&str> = interface.inputs.iter().chain(&interface.outputs).map(|pin| pin.name.as_str()).collect();
        assert_eq!(all.iter().collect::<BTreeSet<_>>().len(), all.len(), "{all:?}");
    }

    #[test]
    fn pin_lists_agree_with_the_structures() {
        for (width, entries) in [(1, 2), (16, 1_024), (64, 4), (80, 32), (192, 32), (256, 32)] {
            check::<SramIn, SramOut>(sram_1r1w_interface(width, entries));
            check::<QueueIn, QueueOut>(queue_interface(width));
        }
        check::<Fp32AddIn, Fp32AddOut>(fp32_add_interface());
        for partitions in [2, 4] {
            for sets in [4, 256, 1_024] {
                let parameters = Parameters { partitions, sets, ..Default::default() };
                check::<IruHashIn, IruHashOut>(iru_hash_interface(&parameters));
                check::<PrefetcherIn, PrefetcherOut>(prefetcher_interface(&parameters));
                check::<ClassifierIn, ClassifierOut>(classifier_interface(&parameters));
                check::<RingStopIn, RingStopOut>(ring_stop_interface(&parameters));
                check::<ReorderBankIn, ReorderBankOut>(reorder_bank_interface(&parameters));
                check::<DataReplierIn, DataReplierOut>(data_replier_interface(&parameters));
                check::<IruPartitionIn, IruPartitionOut>(iru_partition_interface(&parameters));
                check::<IruIn, IruOut>(iru_interface(&parameters));
            }
        }
    }

    #[test]
    fn fields_carry_the_names_of_their_pins() {
        let Interface { inputs, outputs } = iru_interface(&Parameters::default());
        let mut pins = IruIn::new(4);
        pins.partitions[2].sector.item.words[7] = 99;
        pins.job.access.target = 98;
        let mut words = vec![0; inputs.len()];
        pins.store(&mut words);
        let value = |name: &str| words[inputs.iter().position(|pin| pin.name == name).unwrap()];
        assert_eq!((value("data_word_7_2"), value("target"), value("data_word_7_1")), (99, 98, 0));

        let mut pins = IruOut::new(4);
        pins.partitions[1].reply.item.elements[3].position = 97;
        let mut words = vec![0; outputs.len()];
        pins.store(&mut words);
        let (at, pin) = outputs.iter().enumerate().find(|(_, pin)| pin.name == "reply_position_3_1").unwrap();
        assert_eq!(words[at], 97);
        assert_eq!(pin.valid_if, [Condition::bit("reply_valid_1", 0)]);
    }
}
