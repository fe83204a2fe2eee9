//! Components 1 to 6 of a grid: three translations, three rotations.

/// One component of a grid: 0 to 5 inside the program, 1 to 6 for the user. A scalar point has only the
/// first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Component(u8);

impl Component {
    /// From the row 0 to 5.
    ///
    /// # Panics
    /// If `row` is above 5.
    pub fn from_row(row: usize) -> Self {
        assert!(row < 6, "invariant: components are rows 0 to 5");
        Self(row as u8)
    }

    /// From the user's digit 1 to 6.
    pub fn from_digit(digit: u32) -> Option<Self> {
        (1..=6).contains(&digit).then(|| Self(digit as u8 - 1))
    }

    /// Row 0 to 5.
    pub fn row(self) -> usize {
        self.0 as usize
    }

    /// The user's digit 1 to 6.
    pub fn digit(self) -> u32 {
        u32::from(self.0) + 1
    }
}

impl std::fmt::Display for Component {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}", self.digit())
    }
}

/// A set of components, as `123456` in a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Components(u8);

impl Components {
    /// None.
    pub const NONE: Self = Self(0);
    /// `123456`.
    pub const ALL: Self = Self(0b11_1111);
    /// `123`.
    pub const TRANSLATIONS: Self = Self(0b00_0111);
    /// `456`.
    pub const ROTATIONS: Self = Self(0b11_1000);

    /// The set with this one component.
    pub fn one(component: Component) -> Self {
        Self(1 << component.0)
    }

    /// With one more.
    #[must_use]
    pub fn with(self, component: Component) -> Self {
        Self(self.0 | 1 << component.0)
    }

    /// Those in either.
    #[must_use]
    pub fn union(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// Those in both.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    /// Those here but not in `other`.
    #[must_use]
    pub fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// True when `component` is in the set.
    pub fn contains(self, component: Component) -> bool {
        self.0 & (1 << component.0) != 0
    }

    /// True when there is none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many.
    pub fn len(self) -> usize {
        self.0.count_ones() as usize
    }

    /// In ascending order.
    pub fn iter(self) -> impl Iterator<Item = Component> {
        (0..6).map(Component).filter(move |c| self.contains(*c))
    }
}

impl FromIterator<Component> for Components {
    fn from_iter<I: IntoIterator<Item = Component>>(iter: I) -> Self {
        iter.into_iter().fold(Self::NONE, Self::with)
    }
}

impl std::fmt::Display for Components {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.iter().try_for_each(|c| c.fmt(f))
    }
}
