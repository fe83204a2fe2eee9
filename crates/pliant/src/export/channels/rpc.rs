//! RPC III of MTS: a head of 128-byte records (a keyword of 32 bytes, a value of 96), filled up to blocks of
//! 512 bytes, then groups of frames, channel after channel in each, here in single precision with the least
//! byte first and one frame a group.
//!
//! The number of samples is a multiple of that of a frame: the last value is repeated, which adds no cycle.

use std::io::{self, Write};

use super::Channel;

/// Samples of a frame, a power of two: at least, at most.
const FRAME: [usize; 2] = [256, 1024];
/// Records of a head, at most.
const RECORDS: usize = 1024;
/// Records about the file, and about each channel.
const OWN: [usize; 2] = [17, 5];
/// Channels of a file, at most.
const CHANNELS: usize = (RECORDS - OWN[0]) / OWN[1];

/// Whether such a file can hold the channels.
pub(super) fn fits(spacing: Option<f64>, time: &[f64], channels: &[Channel]) -> Result<(), String> {
    if spacing.is_none() {
        let (first, last) = (time.first().unwrap_or(&0.0), time.last().unwrap_or(&0.0));
        return Err(format!(
            "RPC III has one interval between all samples, and the {} outputs from {first} to {last} s have several; \
             `every` of [output] spaces them equally, and a name that ends in .csv keeps their times",
            time.len()
        ));
    }
    let count = channels.len();
    if count > CHANNELS {
        return Err(format!(
            "RPC III has at most {CHANNELS} channels, found {count}; --only chooses, and a name that ends in .csv keeps all"
        ));
    }
    Ok(())
}

/// Writes head and data.
pub(super) fn write(
    out: &mut impl Write,
    spacing: f64,
    samples: usize,
    channels: &[Channel],
) -> io::Result<()> {
    let frame = samples.next_power_of_two().clamp(FRAME[0], FRAME[1]);
    let frames = samples.div_ceil(frame);
    let mut records: Vec<(String, String)> = Vec::new();
    let mut add = |key: &str, value: String| records.push((key.to_owned(), value));
    // The first three stand in this order; the numbers come when all are counted.
    add("FORMAT", "BINARY_IEEE_LITTLE_END".to_owned());
    add("NUM_HEADER_BLOCKS", String::new());
    add("NUM_PARAMS", String::new());
    add("FILE_TYPE", "TIME_HISTORY".to_owned());
    add("TIME_TYPE", "RESPONSE".to_owned());
    add("DATA_TYPE", "FLOATING_POINT".to_owned());
    add("OPERATION", format!("written by pliant {}", env!("CARGO_PKG_VERSION")));
    add("DELTA_T", format!("{spacing:.9e}"));
    add("CHANNELS", channels.len().to_string());
    add("PTS_PER_FRAME", frame.to_string());
    add("PTS_PER_GROUP", frame.to_string());
    add("FRAMES", frames.to_string());
    add("HALF_FRAMES", "0".to_owned());
    add("REPEATS", "1".to_owned());
    add("BYPASS_FILTER", "0".to_owned());
    add("INT_FULL_SCALE", "32752".to_owned());
    add("PARTITIONS", "1".to_owned());
    for (number, channel) in (1..).zip(channels) {
        let largest = channel.values.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        // As the samples are rounded, none of them lies beyond.
        let limit = if largest > 0.0 { f64::from(largest as f32) } else { 1.0 };
        let mut add = |key: &str, value: String| add(&format!("{key}.CHAN_{number}"), value);
        add("DESC", channel.name.clone());
        add("UNITS", channel.units.clone());
        add("SCALE", "1.0".to_owned());
        add("LOWER_LIMIT", format!("{:e}", -limit));
        add("UPPER_LIMIT", format!("{limit:e}"));
    }
    let count = records.len();
    assert_eq!(count, OWN[0] + OWN[1] * channels.len(), "invariant: the records are counted");
    let blocks = count.div_ceil(4);
    records[1].1 = blocks.to_string();
    records[2].1 = count.to_string();
    for (key, value) in &records {
        out.write_all(&field::<32>(key))?;
        out.write_all(&field::<96>(value))?;
    }
    out.write_all(&vec![0; 128 * (4 * blocks - count)])?;
    for first in (0..frames).map(|k| k * frame) {
        for channel in channels {
            for k in first..first + frame {
                let value = channel.values[k.min(samples - 1)] as f32;
                out.write_all(&value.to_le_bytes())?;
            }
        }
    }
    Ok(())
}

/// ASCII text in a field of fixed length, zeros behind it, of which there is at least one.
fn field<const LENGTH: usize>(text: &str) -> [u8; LENGTH] {
    let mut field = [0; LENGTH];
    let ascii = text.chars().map(|c| if c.is_ascii_graphic() || c == ' ' { c as u8 } else { b'_' });
    field[..LENGTH - 1].iter_mut().zip(ascii).for_each(|(to, from)| *to = from);
    field
}
