//! A table: time, then a column for each channel.

use std::io::{self, Write};

use super::Channel;

/// Two lines of head: what it is, and name and units of each column. Then one line for each output.
pub(super) fn write(out: &mut impl Write, time: &[f64], channels: &[Channel]) -> io::Result<()> {
    writeln!(out, "# Channels written by pliant {}", env!("CARGO_PKG_VERSION"))?;
    write!(out, "time [s]")?;
    for Channel { name, units, .. } in channels {
        let name = name.replace(['"', ',', '\n', '\r'], " ");
        write!(out, ",{name} [{units}]")?;
    }
    writeln!(out)?;
    for (k, t) in time.iter().enumerate() {
        write!(out, "{t}")?;
        channels.iter().try_for_each(|channel| write!(out, ",{}", channel.values[k]))?;
        writeln!(out)?;
    }
    Ok(())
}
