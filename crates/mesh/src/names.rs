//! Names that a preprocessor gave to properties, materials and sets.

use std::collections::BTreeMap;

/// Names by number. Numbers without a name have none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names {
    /// Of properties.
    pub properties: BTreeMap<u32, String>,
    /// Of materials.
    pub materials: BTreeMap<u32, String>,
    /// Of sets of grids.
    pub sets: BTreeMap<u32, String>,
}

impl Names {
    /// The number that has a name; capitals count only where two names differ in nothing else.
    pub fn number_of(names: &BTreeMap<u32, String>, name: &str) -> Option<u32> {
        let exact = names.iter().find(|(_, known)| *known == name);
        let found = exact.or_else(|| names.iter().find(|(_, known)| known.eq_ignore_ascii_case(name)));
        found.map(|(number, _)| *number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_exact_name_comes_first() {
        let names = BTreeMap::from([(1, "Skin".to_owned()), (2, "SKIN".to_owned())]);
        assert_eq!(Names::number_of(&names, "SKIN"), Some(2));
        assert_eq!(Names::number_of(&names, "skin"), Some(1));
        assert_eq!(Names::number_of(&names, "rib"), None);
    }
}
