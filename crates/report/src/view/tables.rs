//! Problems and parts, readable without a script.

use super::{Problem, Severity, ViewedPart};
use crate::page::{escape, table};

/// Problems as a list; the number of one that is marked in the picture is a button.
pub(super) fn problems(problems: &[Problem]) -> String {
    if problems.is_empty() {
        return "<p class=\"muted\">The file and its decks have none. Reduction and run may still find some.</p>\n"
            .to_owned();
    }
    let items: String = problems.iter().enumerate().map(problem).collect();
    format!("<ol class=\"problems\">\n{items}</ol>\n")
}

fn problem((k, problem): (usize, &Problem)) -> String {
    let (class, word) = match problem.severity {
        Severity::Error => ("bad", "error"),
        Severity::Warning => ("warn", "warning"),
        Severity::Note => ("note", "note"),
    };
    let number = k + 1;
    let pin = match problem.is_marked {
        true => format!(
            "<button type=\"button\" class=\"pin {class}\" data-problem=\"{number}\" aria-label=\"Show problem {number} in the picture\">{number}</button>"
        ),
        false => format!("<span class=\"pin {class}\">{number}</span>"),
    };
    let mut text = format!("<li id=\"problem-{number}\">{pin}<div><strong class=\"{class}\">{word}</strong>");
    if !problem.subject.is_empty() {
        text.push_str(&format!(" <span class=\"muted\">{}</span>", escape(&problem.subject)));
    }
    text.push_str(&format!("<p>{}</p>", escape(&problem.message)));
    if let Some((line, first, count)) = &problem.excerpt {
        let chars: Vec<char> = line.chars().collect();
        let (first, end) = ((*first).min(chars.len()), (first + count).min(chars.len()));
        let part = |range: std::ops::Range<usize>| escape(&chars[range].iter().collect::<String>());
        text.push_str(&format!(
            "<pre>{}<mark>{}</mark>{}</pre>",
            part(0..first),
            part(first..end),
            part(end..chars.len())
        ));
    }
    if !problem.location.is_empty() {
        text.push_str(&format!("<p class=\"muted\">{}</p>", escape(&problem.location)));
    }
    for hint in &problem.hints {
        text.push_str(&format!("<p>Hint: {}</p>", escape(hint)));
    }
    text + "</div></li>\n"
}

/// A row for each part.
pub(super) fn parts(caption: &str, parts: &[ViewedPart]) -> String {
    let row =
        |part: &ViewedPart| vec![escape(&part.name), escape(&part.kind), escape(&part.facts.join(", "))];
    let rows: Vec<Vec<String>> = parts.iter().map(row).collect();
    table(caption, &["name", "kind", "what"], &rows).replacen(
        "class=\"panel scroll\"",
        "class=\"panel scroll words\"",
        1,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_meant_in_a_line_is_marked_and_nothing_of_it_is_markup() {
        let wrong = Problem {
            message: "<b> is no mass".to_owned(),
            excerpt: Some(("mass = '<b>'".to_owned(), 7, 5)),
            location: "m.toml:3:8".to_owned(),
            is_marked: true,
            ..Problem::default()
        };
        let text = problems(&[wrong]);
        assert!(text.contains("mass = <mark>&#39;&lt;b&gt;&#39;</mark></pre>"), "{text}");
        assert!(text.contains("data-problem=\"1\"") && !text.contains("<b>"));
    }
}
