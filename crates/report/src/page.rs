//! The page around everything: head, styles, navigation, description, arrays, scripts.

use serde::Serialize;

use crate::array::Arrays;

const STYLES: [&str; 5] = [
    include_str!("../assets/theme.css"),
    include_str!("../assets/layout.css"),
    include_str!("../assets/view.css"),
    include_str!("../assets/plot.css"),
    include_str!("../assets/print.css"),
];

const SCRIPTS: [&str; 28] = [
    include_str!("../assets/data.js"),
    include_str!("../assets/number.js"),
    include_str!("../assets/theme.js"),
    include_str!("../assets/draw.js"),
    include_str!("../assets/plot.js"),
    include_str!("../assets/save.js"),
    include_str!("../assets/matrix.js"),
    include_str!("../assets/colour.js"),
    include_str!("../assets/shader.js"),
    include_str!("../assets/part.js"),
    include_str!("../assets/symbol.js"),
    include_str!("../assets/arrows.js"),
    include_str!("../assets/camera.js"),
    include_str!("../assets/stage.js"),
    include_str!("../assets/labels.js"),
    include_str!("../assets/panel.js"),
    include_str!("../assets/video.js"),
    include_str!("../assets/player.js"),
    include_str!("../assets/view.js"),
    include_str!("../assets/table.js"),
    include_str!("../assets/filter.js"),
    include_str!("../assets/influence.js"),
    include_str!("../assets/many.js"),
    include_str!("../assets/relations.js"),
    include_str!("../assets/study.js"),
    include_str!("../assets/response.js"),
    include_str!("../assets/shapes.js"),
    include_str!("../assets/main.js"),
];

/// Where a page comes from.
#[derive(Clone, Debug, Default)]
pub struct About {
    /// Title of the pipeline file.
    pub title: String,
    /// The file that was read.
    pub source: String,
    /// Program and version that computed it.
    pub program: String,
    /// When, UTC.
    pub created: String,
    /// More in a few words each: `"nonlinear"`, `"recovered: the run did not come to its end"`.
    pub remarks: Vec<String>,
}

/// A part of the page under a heading.
pub(crate) struct Section {
    pub(crate) id: &'static str,
    pub(crate) heading: &'static str,
    pub(crate) markup: String,
}

/// Text safe in markup and in attributes.
pub(crate) fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\'' => out.push_str("&#39;"),
            c => out.push(c),
        }
    }
    out
}

/// How a number should make one feel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tone {
    Plain,
    Good,
    Warn,
    Bad,
}

impl Tone {
    pub(crate) fn class(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Good => "good",
            Self::Warn => "warn",
            Self::Bad => "bad",
        }
    }
}

/// A headline number.
pub(crate) fn card(label: &str, (value, units): (String, String), note: &str, tone: Tone) -> String {
    format!(
        "<div class=\"card {}\"><div class=\"label\">{}</div><div class=\"value\">{}<span class=\"unit\">{}</span></div>\
         <div class=\"note\">{}</div></div>\n",
        tone.class(),
        escape(label),
        escape(&value),
        escape(&units),
        escape(note)
    )
}

/// A table; the first column heads its rows. Cells are markup.
pub(crate) fn table(caption: &str, heads: &[&str], rows: &[Vec<String>]) -> String {
    let head: String = heads.iter().map(|head| format!("<th scope=\"col\">{head}</th>")).collect();
    let row = |cells: &Vec<String>| {
        let cell = |(k, cell): (usize, &String)| match k {
            0 => format!("<th scope=\"row\">{cell}</th>"),
            _ => format!("<td>{cell}</td>"),
        };
        format!("<tr>{}</tr>\n", cells.iter().enumerate().map(cell).collect::<String>())
    };
    let body: String = rows.iter().map(row).collect();
    format!(
        "<div class=\"panel scroll\"><table><caption class=\"visually-hidden\">{}</caption><thead><tr>{head}</tr></thead>\
         <tbody>\n{body}</tbody></table></div>\n",
        escape(caption)
    )
}

/// Warnings in words.
pub(crate) fn messages(warnings: &[String]) -> String {
    let items: String = warnings.iter().map(|warning| format!("<li>{}</li>\n", escape(warning))).collect();
    format!("<ul class=\"messages\">\n{items}</ul>\n")
}

/// The complete page.
pub(crate) fn page(
    about: &About,
    sections: &[Section],
    description: &impl Serialize,
    arrays: Arrays,
) -> String {
    let description = serde_json::to_string(description).expect("invariant: plain data has a JSON form");
    // `<` inside a script element could end it.
    let description = description.replace('<', "\\u003c");
    let mut facts: Vec<String> = [&about.source, &about.created, &about.program]
        .into_iter()
        .chain(&about.remarks)
        .filter(|fact| !fact.is_empty())
        .map(|fact| format!("<span>{}</span>", escape(fact)))
        .collect();
    facts.dedup();
    let links: String =
        sections.iter().map(|s| format!("<a href=\"#{}\">{}</a>\n", s.id, escape(s.heading))).collect();
    let body: String = sections
        .iter()
        .map(|s| {
            let (id, heading) = (s.id, escape(s.heading));
            format!("<section id=\"{id}\" aria-labelledby=\"h-{id}\"><h2 id=\"h-{id}\">{heading}</h2>\n{}</section>\n", s.markup)
        })
        .collect();
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <meta name=\"generator\" content=\"{program}\">\n<title>{title}</title>\n<link rel=\"icon\" href=\"data:,\">\n\
         <style>\n{styles}</style>\n</head>\n<body>\n<a class=\"skip\" href=\"#{first}\">Skip to the numbers</a>\n\
         <div class=\"page\">\n<header class=\"top\"><h1>{title}</h1><div class=\"facts\">{facts}</div></header>\n\
         <nav class=\"bar\" aria-label=\"Sections\">{links}<span class=\"right\">\
         <button type=\"button\" id=\"theme\">Dark</button><button type=\"button\" id=\"print\">Print</button></span></nav>\n\
         <noscript><p>Plots and the machine need JavaScript; the numbers below do not.</p></noscript>\n\
         <main>\n{body}</main>\n<footer>Written by {program}. Everything is in this file; it loads nothing.</footer>\n</div>\n\
         <script type=\"application/json\" id=\"description\">{description}</script>\n{arrays}\
         <script>\n\"use strict\";\n(() => {{\n{scripts}}})();\n</script>\n</body>\n</html>\n",
        program = escape(&about.program),
        title = escape(&about.title),
        styles = STYLES.concat(),
        first = sections.first().map_or("", |s| s.id),
        facts = facts.join(""),
        arrays = arrays.into_markup(),
        scripts = SCRIPTS.concat(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_cannot_leave_its_element() {
        let about = About { title: "</script><b>\"&'".to_owned(), ..About::default() };
        let description = serde_json::json!({ "title": about.title });
        let page = page(&about, &[], &description, Arrays::default());
        assert!(!page.contains("</script><b>"));
        assert!(page.contains("&lt;/script&gt;&lt;b&gt;&quot;&amp;&#39;"));
        assert!(
            !page.contains("http://")
                || page.matches("http://").count() == page.matches("http://www.w3.org/2000/svg").count()
        );
        assert!(!page.contains("https://"), "nothing is loaded");
    }
}
