//! Pins of the units of the IRU, as listed in `docs/iru/`.

mod classifier;
mod data_replier;
mod iru;
mod iru_hash;
mod iru_partition;
mod prefetcher;
mod reorder_bank;
mod ring_stop;

use super::element::Bundle;
use super::Parameters;
use crate::pin::Pin;
use crate::pins::{by_name, flag, Listed};

pub use crate::pins::Offer;
pub use classifier::{ClassifierIn, ClassifierOut, BANK_0, BANK_1, CCW, CW};
pub use data_replier::{BankView, DataReplierIn, DataReplierOut, Reply, Token};
pub use iru::{IruIn, IruOut};
pub use iru_hash::{IruHashIn, IruHashOut};
pub use iru_partition::{CoreIn, CoreOut, IruPartitionIn, IruPartitionOut, JobPins, RingIn, RingOut};
pub use prefetcher::{ElementGroup, LineRequest, PrefetcherIn, PrefetcherOut, SectorData};
pub use reorder_bank::{BankBeat, ReorderBankIn, ReorderBankOut, TakeOrder};
pub use ring_stop::{RingStopIn, RingStopOut};

/// From the ring, cw and ccw.
const ARRIVALS: [&str; 2] = ["cw_in", "ccw_in"];
/// To the ring, cw and ccw.
const LINKS: [&str; 2] = ["cw_out", "ccw_out"];

/// Bundles with so many bits of place.
fn bundles(names: &[&str], place: u32, p: &Parameters) -> Vec<Pin> {
    by_name(names, Offer::<Bundle>::list((place, p.bundle)))
}

fn readies(names: &[&str]) -> Vec<Pin> {
    by_name(names, vec![flag("ready")])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::pin::{Condition, Interface};
    use crate::pins::interface;
    use crate::pins::tests::{check, word};

    #[test]
    fn pin_lists_agree_with_the_structures() {
        for (partitions, chunks, bundle) in [(2, 8, 1), (4, 8, 1), (2, 16, 2), (4, 64, 4)] {
            for sets in [4, 256, 1_024] {
                let parameters = Parameters { partitions, sets, chunks, bundle, ..Default::default() };
                check::<IruHashIn, IruHashOut, _>(&parameters);
                check::<PrefetcherIn, PrefetcherOut, _>(&parameters);
                check::<ClassifierIn, ClassifierOut, _>(&parameters);
                check::<RingStopIn, RingStopOut, _>(&parameters);
                check::<ReorderBankIn, ReorderBankOut, _>(&parameters);
                check::<DataReplierIn, DataReplierOut, _>(&parameters);
                check::<IruPartitionIn, IruPartitionOut, _>(&parameters);
                check::<IruIn, IruOut, _>(&parameters);
            }
        }
    }

    #[test]
    fn fields_carry_the_names_of_their_pins() {
        let Interface { inputs, outputs } = interface::<IruIn, IruOut, _>(&Parameters::default());
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
