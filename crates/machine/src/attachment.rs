//! `"ground"` and `"link.interface"`.

use pliant_mechanism::Attachment;
use pliant_pipeline::schema::{Located, closest, suggestion};

use crate::machine::Machine;
use crate::problems::Problems;

/// The parent of a joint.
pub(crate) fn parent(
    text: &Located<String>,
    table: &Machine<'_>,
    problems: &mut Problems<'_>,
) -> Option<Attachment> {
    if text.value == "ground" { Some(Attachment::Ground) } else { interface(text, table, problems) }
}

/// An outboard interface of a link.
pub(crate) fn interface(
    text: &Located<String>,
    table: &Machine<'_>,
    problems: &mut Problems<'_>,
) -> Option<Attachment> {
    let (value, span) = (text.value.as_str(), text.span());
    // A quoted name may hold a dot itself: the longest link that fits.
    let split = |name: &str| value.strip_prefix(name).and_then(|rest| rest.strip_prefix('.'));
    let found = table.links.names().filter_map(|name| Some((name, split(name)?)));
    let Some((name, wanted)) = found.max_by_key(|(name, _)| name.len()) else {
        let names: Vec<_> = table.links.names().collect();
        let link = value.split('.').next().unwrap_or(value);
        if names.contains(&value) {
            let has = table.links.get(value)?.outboard_names().join(", ");
            let hint = format!("an interface is written `{value}.interface`; its interfaces: {has}");
            return problems.error_with_hint(span, format!("`{value}` names a link, not an interface"), hint);
        }
        let mut hint = suggestion(link, names.into_iter().chain(["ground"]), "links");
        if !value.contains('.') && hint.starts_with("links") {
            hint = format!("an interface is written `link.interface`; {hint}");
        }
        return problems.error_with_hint(span, format!("`{value}`: there is no link `{link}`"), hint);
    };
    let name = table.links.owner(name, wanted);
    let known = table.links.get(name)?.outboard_names();
    if known.contains(&wanted) {
        return Some(Attachment::interface(name, wanted));
    }
    let hint = match closest(wanted, known.iter().copied()) {
        Some(close) => format!("did you mean `{name}.{close}`?"),
        None if known.is_empty() => "it has no outboard interface".to_owned(),
        None => format!("its interfaces: {}", known.join(", ")),
    };
    problems.error_with_hint(span, format!("link `{name}` has no outboard interface `{wanted}`"), hint)
}
