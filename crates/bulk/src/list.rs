//! Lists of ids with THRU, BY and EXCEPT: `1, 5, THRU, 20, BY, 5, EXCEPT, 10`.

use pliant_diag::Severity;

use crate::number::parse_integer;
use crate::typed::Reader;

/// `first`, `first + step`, … up to `last`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct IdRange {
    /// The first id.
    pub first: u32,
    /// The last id, which may lie between two steps.
    pub last: u32,
    /// The step, at least 1.
    pub step: u32,
}

impl IdRange {
    /// A single id.
    pub fn one(id: u32) -> Self {
        Self { first: id, last: id, step: 1 }
    }

    /// True when `id` is one of them.
    pub fn contains(&self, id: u32) -> bool {
        id >= self.first && id <= self.last && (id - self.first).is_multiple_of(self.step)
    }

    /// How many they are.
    pub fn count(&self) -> u64 {
        u64::from((self.last - self.first) / self.step) + 1
    }
}

/// A list of ids as a card gives it. Ranges stay ranges: `1 THRU 99999999` is a common way to say "all that
/// exist".
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct IdList {
    /// Single ids and ranges, in the order given.
    pub ranges: Vec<IdRange>,
    /// Ids behind EXCEPT.
    pub excluded: Vec<IdRange>,
    /// `ALL` stood in the list.
    pub all: bool,
}

impl IdList {
    /// True when `id` is in the list.
    pub fn contains(&self, id: u32) -> bool {
        (self.all || self.ranges.iter().any(|r| r.contains(id))) && !self.is_excluded(id)
    }

    fn is_excluded(&self, id: u32) -> bool {
        self.excluded.iter().any(|r| r.contains(id))
    }

    /// Every id, in the order given. `None` when they are more than `limit` or the list says `ALL`.
    pub fn expand(&self, limit: u64) -> Option<Vec<u32>> {
        let count: u64 = self.ranges.iter().map(IdRange::count).sum();
        if self.all || count > limit {
            return None;
        }
        let ids = self.ranges.iter().flat_map(|r| (r.first..=r.last).step_by(r.step as usize));
        Some(ids.filter(|id| !self.is_excluded(*id)).collect())
    }

    /// Those of `existing` (ascending) that are in the list, ascending and each once: what a THRU with gaps
    /// means.
    pub fn among(&self, existing: &[u32]) -> Vec<u32> {
        let mut ids: Vec<u32> = if self.all {
            existing.to_vec()
        } else {
            let in_range = |r: &IdRange| {
                let first = existing.partition_point(|id| *id < r.first);
                let end = existing.partition_point(|id| *id <= r.last);
                let r = *r;
                existing[first..end].iter().copied().filter(move |id| r.contains(*id))
            };
            self.ranges.iter().flat_map(in_range).collect()
        };
        ids.retain(|id| !self.is_excluded(*id));
        ids.sort_unstable();
        ids.dedup();
        ids
    }
}

impl Reader<'_> {
    /// The list of ids from `first` to the end of the card; blanks between them are skipped. `None` after
    /// something was reported.
    pub fn id_list(&mut self, first: usize, name: &str) -> Option<IdList> {
        self.id_list_within(first, self.len(), name)
    }

    /// The list of ids in the slots `first..end`.
    pub(crate) fn id_list_within(&mut self, first: usize, end: usize, name: &str) -> Option<IdList> {
        let mut list = IdList::default();
        let mut good = true;
        let mut excluding = false;
        let mut slot = first;
        while slot < end {
            let field = self.fields().get(slot);
            if field.is_blank() {
                slot += 1;
            } else if self.is_word(slot, "ALL") {
                list.all = true;
                slot += 1;
            } else if self.is_word(slot, "EXCEPT") {
                excluding = true;
                slot += 1;
            } else if self.is_word(slot, "THRU") || self.is_word(slot, "BY") {
                let message = format!("`{}` has no id before it", String::from_utf8_lossy(field.text));
                self.error(slot, name, message);
                good = false;
                slot += 1;
            } else {
                let (range, next) = self.id_range(slot, end, name);
                match range {
                    Some(range) if excluding => list.excluded.push(range),
                    Some(range) => list.ranges.push(range),
                    None => good = false,
                }
                slot = next;
            }
        }
        good.then_some(list)
    }

    /// An id, or id THRU id, or id THRU id BY step; and the slot behind it.
    fn id_range(&mut self, slot: usize, end: usize, name: &str) -> (Option<IdRange>, usize) {
        let first = self.id(slot, name);
        let skip_blanks = |reader: &Self, mut at: usize| {
            while at < end && reader.is_blank(at) {
                at += 1;
            }
            at
        };
        let thru = skip_blanks(self, slot + 1);
        if thru >= end || !self.is_word(thru, "THRU") {
            return (first.map(IdRange::one), slot + 1);
        }
        let last_slot = skip_blanks(self, thru + 1);
        let last = self.id(last_slot, name);
        let mut next = last_slot + 1;
        let mut step = Some(1);
        let by = skip_blanks(self, next);
        if by < end && self.is_word(by, "BY") {
            let step_slot = skip_blanks(self, by + 1);
            step = self.id(step_slot, name);
            next = step_slot + 1;
        }
        let range = match (first, last, step) {
            (Some(first), Some(last), Some(step)) if first <= last => Some(IdRange { first, last, step }),
            (Some(first), Some(last), Some(_)) => {
                let message = format!("{first} THRU {last} runs backwards");
                let problem = self.problem(Severity::Error, last_slot, name, message);
                self.report(problem.hint(format!("write `{last}` THRU `{first}`")));
                None
            }
            _ => None,
        };
        (range, next)
    }

    /// True when the slot holds an integer.
    pub fn is_integer(&self, slot: usize) -> bool {
        parse_integer(self.fields().get(slot).text).is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{FieldBuffer, read_cards_from};
    use pliant_diag::Diagnostics;

    fn list(deck: &str) -> (Option<IdList>, Vec<String>) {
        let read = read_cards_from("t.bdf", deck.as_bytes().to_vec(), &mut |_| unreachable!());
        let mut buffer = FieldBuffer::new();
        let mut diagnostics = Diagnostics::new();
        let fields = read.output.fields(&read.output.cards[0], &mut buffer);
        let list = Reader::new(fields, &mut diagnostics).id_list(1, "ID");
        (list, diagnostics.iter().map(|d| d.headline()).collect())
    }

    #[test]
    fn thru_by_and_except() {
        let (l, problems) = list("SET1,7,1,5,THRU,20,BY,5,EXCEPT\n+,10,30");
        assert_eq!(problems, [""; 0]);
        let l = l.unwrap();
        assert_eq!(l.expand(100), Some(vec![1, 5, 15, 20]));
        assert_eq!(l.among(&[1, 2, 5, 10, 20, 30]), [1, 5, 20]);
        assert_eq!(l.expand(3), None);
    }

    #[test]
    fn a_range_of_two_thousand_million_stays_a_range() {
        let (l, _) = list("SPC1,1,1,THRU,2000000000");
        let l = l.unwrap();
        assert_eq!(l.expand(1_000_000), None);
        assert_eq!(l.among(&[3, 7]), [3, 7]);
    }

    #[test]
    fn bad_lists_say_where() {
        assert_eq!(list("SPC1,1,9,THRU,5").1, ["SPC1 1, field 5 (ID): 9 THRU 5 runs backwards"]);
        assert_eq!(list("SPC1,1,THRU,5").1, ["SPC1 1, field 3 (ID): `THRU` has no id before it"]);
        assert_eq!(list("SPC1,1,4,THRU").1, ["SPC1 1, field 5 (ID): expected an integer, found nothing"]);
    }
}
