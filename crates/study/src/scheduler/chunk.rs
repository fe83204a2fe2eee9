//! Cases of a task.

/// Cuts cases into tasks of `size`, the last one perhaps smaller.
pub fn chunks(cases: &[usize], size: usize) -> Vec<Vec<usize>> {
    cases.chunks(size.max(1)).map(<[usize]>::to_vec).collect()
}

/// Sorted cases as text: `0-31,40,42-50`.
pub fn ranges(cases: &[usize]) -> String {
    let runs = cases.chunk_by(|a, b| a + 1 == *b);
    let shown = runs.map(|run| match run {
        [one] => one.to_string(),
        [first, .., last] => format!("{first}-{last}"),
        [] => String::new(),
    });
    shown.collect::<Vec<_>>().join(",")
}

/// The cases of a text made by [`ranges`].
pub(crate) fn parse_cases(text: &str) -> Option<Vec<usize>> {
    let mut cases = Vec::new();
    for part in text.trim().split(',').filter(|part| !part.is_empty()) {
        let (first, last) = part.split_once('-').unwrap_or((part, part));
        cases.extend(first.parse::<usize>().ok()?..=last.parse().ok()?);
    }
    Some(cases)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn every_case_is_in_one_task(cases in prop::collection::btree_set(0_usize..300, 0..60), size in 1_usize..20) {
            let cases: Vec<_> = cases.into_iter().collect();
            let tasks = chunks(&cases, size);
            let text: Vec<_> = tasks.iter().map(|task| ranges(task)).collect();
            let read: Vec<_> = text.iter().flat_map(|line| parse_cases(line).unwrap()).collect();
            prop_assert_eq!(read, cases);
        }
    }
}
