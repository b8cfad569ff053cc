//! Pins of the units of the IRU, as listed in `docs/iru/`.

mod classifier;
mod data_replier;
mod iru;
mod iru_hash;
mod iru_partition;
mod prefetcher;
mod reorder_bank;
mod ring_stop;

use super::element::{Access, Element, BEAT, INDEX_BITS};
use super::Parameters;
use crate::unit::Pin;
use crate::units::pins::{fields, flag, offer};

pub use crate::units::pins::Offer;
pub use classifier::{classifier_interface, ClassifierIn, ClassifierOut, BANK_0, BANK_1, CCW, CW};
pub use data_replier::{data_replier_interface, BankView, DataReplierIn, DataReplierOut, Reply, Token};
pub use iru::{iru_interface, IruIn, IruOut};
pub use iru_hash::{iru_hash_interface, IruHashIn, IruHashOut};
pub use iru_partition::{
    iru_partition_interface, CoreIn, CoreOut, IruPartitionIn, IruPartitionOut, JobPins, RingIn, RingOut,
};
pub use prefetcher::{prefetcher_interface, ElementGroup, LineRequest, PrefetcherIn, PrefetcherOut, SectorData};
pub use reorder_bank::{reorder_bank_interface, BankBeat, ReorderBankIn, ReorderBankOut, TakeOrder};
pub use ring_stop::{ring_stop_interface, RingStopIn, RingStopOut};

fields! { Access { target: u64, size: u8, } }
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

fn elements(names: &[&str]) -> Vec<Pin> {
    names.iter().flat_map(|name| element(name)).collect()
}

fn readies<'a>(names: &'a [&str]) -> impl Iterator<Item = Pin> + 'a {
    names.iter().map(|name| flag(format!("{name}_ready")))
}

fn access() -> [Pin; 2] {
    [Pin::new("target", 39), Pin::new("size", 3)]
}

fn access_and_partition(parameters: &Parameters) -> impl Iterator<Item = Pin> {
    access().into_iter().chain([Pin::new("partition", parameters.partition_bits())])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::unit::{Condition, Interface};
    use crate::units::pins::tests::{check, word};

    #[test]
    fn pin_lists_agree_with_the_structures() {
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
        let value = |name: &str| word(&inputs, &pins, name);
        assert_eq!((value("data_word_7_2"), value("target"), value("data_word_7_1")), (99, 98, 0));

        let mut pins = IruOut::new(4);
        pins.partitions[1].reply.item.elements[3].position = 97;
        assert_eq!(word(&outputs, &pins, "reply_position_3_1"), 97);
        let pin = outputs.iter().find(|pin| pin.name == "reply_position_3_1").unwrap();
        assert_eq!(pin.valid_if, [Condition::bit("reply_valid_1", 0)]);
    }
}
