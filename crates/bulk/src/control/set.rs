//! SET n = 1, 5, 7 THRU 20 EXCEPT 9, 30 THRU 90 BY 10

use nom::branch::alt;
use nom::bytes::complete::tag_no_case;
use nom::character::complete::{multispace0, one_of, u32 as number};
use nom::combinator::{all_consuming, opt};
use nom::multi::many0;
use nom::sequence::preceded;
use nom::{IResult, Parser};

use crate::list::{IdList, IdRange};

/// The number of the set and its members; `None` for the kinds that hold no ids (`ALL`, reals, `5/T1`).
pub(super) fn parse(text: &str) -> Option<(u32, IdList)> {
    let (_, (id, list)) = all_consuming((number, preceded(separator, list))).parse(text.trim()).ok()?;
    Some((id, list))
}

fn separator(text: &str) -> IResult<&str, ()> {
    many0(one_of(" \t=,")).map(|_| ()).parse(text)
}

fn list(text: &str) -> IResult<&str, IdList> {
    let mut list = IdList::default();
    let mut excluding = false;
    let mut rest = text;
    while !rest.is_empty() {
        if let Ok((next, _)) = word(rest, "EXCEPT") {
            excluding = true;
            rest = next;
            continue;
        }
        let (next, range) = range(rest)?;
        // Nastran: EXCEPT counts for the THRU before it and ends at the next id that lies outside.
        if excluding && !list.ranges.last().is_some_and(|r| r.contains(range.first)) {
            excluding = false;
        }
        if excluding {
            list.excluded.push(range)
        } else {
            list.ranges.push(range)
        }
        rest = next;
    }
    Ok((rest, list))
}

fn word<'a>(text: &'a str, word: &str) -> IResult<&'a str, ()> {
    let (text, _) = tag_no_case(word)(text)?;
    let (text, _) = separator(text)?;
    Ok((text, ()))
}

fn range(text: &str) -> IResult<&str, IdRange> {
    let (text, first) = number(text)?;
    let (text, last) = opt(preceded((multispace0, tag_no_case("THRU"), multispace0), number)).parse(text)?;
    let (text, step) = opt(preceded((multispace0, tag_no_case("BY"), multispace0), number)).parse(text)?;
    let (text, _) = alt((end_of_item, nom::combinator::eof.map(|_| ()))).parse(text)?;
    let last = last.unwrap_or(first);
    let step = step.unwrap_or(1);
    if last < first || step == 0 {
        return Err(nom::Err::Error(nom::error::Error::new(text, nom::error::ErrorKind::Verify)));
    }
    Ok((text, IdRange { first, last, step }))
}

/// At least one blank or comma.
fn end_of_item(text: &str) -> IResult<&str, ()> {
    let (text, _) = one_of(" \t,")(text)?;
    separator(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists() {
        let members = |text| parse(text).and_then(|(id, list)| Some((id, list.expand(1000)?)));
        assert_eq!(members("1 = 4,16"), Some((1, vec![4, 16])));
        assert_eq!(members("100 = 1, 5 THRU 9 EXCEPT 6,8, 20"), Some((100, vec![1, 5, 7, 9, 20])));
        assert_eq!(members("3=10 THRU 50 BY 20"), Some((3, vec![10, 30, 50])));
        assert_eq!(members("3=ALL"), None);
        assert_eq!(members("3=1.5,2.5"), None);
        assert_eq!(members("3=5/T1"), None);
        assert_eq!(members("3=9 THRU 5"), None);
    }
}
