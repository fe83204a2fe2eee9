//! Did you mean …?

/// The candidate closest to `word`, if it is close enough to be a slip: at most a third of the letters differ
/// (transpositions count once), or one, of two letters at least, is the beginning of the other.
pub fn closest<'c>(word: &str, candidates: impl IntoIterator<Item = &'c str>) -> Option<&'c str> {
    let lower = word.to_lowercase();
    let scored = candidates.into_iter().filter_map(|candidate| {
        let distance = strsim::osa_distance(&lower, &candidate.to_lowercase());
        let letters = lower.chars().count().max(candidate.chars().count());
        let prefix = lower.len().min(candidate.len()) >= 2
            && (candidate.starts_with(&lower) || lower.starts_with(candidate));
        (distance * 3 <= letters || prefix).then_some((distance, candidate))
    });
    scored.min_by_key(|(distance, _)| *distance).map(|(_, candidate)| candidate)
}

/// The hint for a name that does not exist: the one that was probably meant, or all there are. `kinds` says
/// what they are, in the plural.
pub fn suggestion<'c>(word: &str, known: impl IntoIterator<Item = &'c str>, kinds: &str) -> String {
    let known: Vec<&str> = known.into_iter().collect();
    match closest(word, known.iter().copied()) {
        Some(close) => format!("did you mean `{close}`?"),
        None if known.is_empty() => format!("there are no {kinds}"),
        None => format!("{kinds}: {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_suggestion_is_the_closest_name_or_all() {
        assert_eq!(suggestion("uper", ["upper", "lower"], "links"), "did you mean `upper`?");
        assert_eq!(suggestion("wrist", ["upper", "lower"], "links"), "links: upper, lower");
        assert_eq!(suggestion("wrist", [], "links"), "there are no links");
    }

    #[test]
    fn slips_are_found_and_strangers_are_not() {
        let keys = ["deck", "units", "inboard", "interfaces", "modes", "damping"];
        assert_eq!(closest("interface", keys), Some("interfaces"));
        assert_eq!(closest("dampnig", keys), Some("damping"));
        assert_eq!(closest("Units", keys), Some("units"));
        assert_eq!(closest("colour", keys), None);
        assert_eq!(closest("alpha", ["a", "alpha_deg", "d"]), Some("alpha_deg"));
    }
}
