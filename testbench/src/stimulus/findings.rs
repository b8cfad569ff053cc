//! Findings of stimulus: how often each coverage point was reached, and the first thing that the unit never may do.

/// Count of each coverage point, in the order of the unit's list. Points that cannot be reached with the unit's
/// parameters are left out.
pub type Coverage = Vec<(&'static str, u64)>;

/// Findings that [`events!`](crate::events) makes for a unit.
pub trait AnyFindings {
    /// Counts of all coverage points.
    fn coverage(&self) -> Coverage;
    /// First thing that the unit did and never may, in one line.
    fn violation(&self) -> Option<&str>;
}

/// Stimulus with a list of coverage points.
pub trait Counts {
    /// Findings that [`events!`](crate::events) makes.
    fn findings(&self) -> &dyn AnyFindings;
}

/// Names the events of a unit: an enum `Event`, and `Findings` that count them and keep the first violation. The unit's stimulus
/// has them in `findings`.
#[macro_export]
macro_rules! events {
    ($stimulus:ty: $($event:ident = $name:literal),* $(,)?) => {
        #[derive(Clone, Copy, PartialEq)]
        enum Event { $($event),* }
        const EVENTS: &[(Event, &str)] = &[$((Event::$event, $name)),*];

        #[derive(Clone)]
        struct Findings {
            counts: [u64; EVENTS.len()],
            violation: Option<String>,
        }

        impl Default for Findings {
            fn default() -> Self {
                Findings { counts: [0; EVENTS.len()], violation: None }
            }
        }

        #[allow(dead_code)] // Not all stimulus has events that cannot happen, or knows what its unit may do.
        impl Findings {
            #[inline]
            fn count(&mut self, event: Event, happened: bool) {
                self.counts[event as usize] += u64::from(happened);
            }

            /// The unit did what it never may.
            fn complain(&mut self, text: String) {
                self.violation.get_or_insert(text);
            }

            /// The same, if this is an error.
            #[inline]
            fn check(&mut self, result: Result<(), String>) {
                if let Err(text) = result {
                    self.complain(text);
                }
            }

            /// Counts of all coverage points but those of the lists that cannot be reached.
            fn coverage_without(&self, impossible: &[(bool, &[Event])]) -> $crate::stimulus::Coverage {
                let is_left_out = |event| impossible.iter().any(|(is_so, events)| *is_so && events.contains(event));
                let counted = EVENTS.iter().zip(self.counts);
                counted.filter(|((event, _), _)| !is_left_out(event)).map(|((_, name), n)| (*name, n)).collect()
            }
        }

        impl $crate::stimulus::AnyFindings for Findings {
            fn coverage(&self) -> $crate::stimulus::Coverage {
                self.coverage_without(&[])
            }

            #[inline]
            fn violation(&self) -> Option<&str> {
                self.violation.as_deref()
            }
        }

        impl $crate::stimulus::Counts for $stimulus {
            fn findings(&self) -> &dyn $crate::stimulus::AnyFindings {
                &self.findings
            }
        }
    };
}
