//! Times at which something that is given as a function of time is not smooth.

/// A time that a step should end at.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Event {
    /// Time (s).
    pub t: f64,
    /// True when a force or an acceleration may jump there; false when only its slope does.
    pub jumps: bool,
}

impl Event {
    /// A jump.
    pub fn jump(t: f64) -> Self {
        Self { t, jumps: true }
    }

    /// A corner.
    pub fn corner(t: f64) -> Self {
        Self { t, jumps: false }
    }

    /// In order of time, those that lie within `distance` of the one before merged with it.
    pub fn merged(mut events: Vec<Self>, distance: f64) -> Vec<Self> {
        events.sort_by(|a, b| a.t.total_cmp(&b.t));
        let mut merged: Vec<Self> = Vec::with_capacity(events.len());
        for event in events {
            match merged.last_mut() {
                Some(last) if event.t - last.t <= distance => last.jumps |= event.jumps,
                _ => merged.push(event),
            }
        }
        merged
    }
}
