//! Tables: the macro that makes a struct, its reader and its documentation from one definition.

use crate::schema::{Context, TypeDoc, suggestion};
use crate::{Key, Value, ValueKind};

/// A table for the reference page.
#[derive(Clone, Debug)]
pub struct TableDoc {
    /// Name of the type, such as `Modes`.
    pub name: &'static str,
    /// What it is for.
    pub text: String,
    /// A fragment of a pipeline file that has this table. A test reads each.
    pub example: String,
    /// Its keys; none when it is one of several tables.
    pub keys: Vec<KeyDoc>,
    /// The tables it may be, when a word in it chooses one.
    pub choices: Vec<Choice>,
}

/// One of the tables that a word chooses.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The word.
    pub word: &'static str,
    /// What it means.
    pub text: &'static str,
    /// Name of the table.
    pub table: &'static str,
}

/// A key for the reference page.
#[derive(Clone, Debug)]
pub struct KeyDoc {
    /// Name.
    pub name: &'static str,
    /// What it means.
    pub text: String,
    /// Type.
    pub doc: TypeDoc,
    /// Default as shown to people; `None` with `required` false means optional without a default.
    pub default: Option<&'static str>,
    /// True when it must be there.
    pub required: bool,
}

/// Entries of a table value, or an error that a table was expected.
pub fn entries<'v>(value: &'v Value, context: &mut Context<'_>) -> Option<&'v [(Key, Value)]> {
    match &value.kind {
        ValueKind::Table(entries) => Some(entries),
        other => {
            context.error(value.span, format_args!("expected a table, found {}", other.describe()));
            None
        }
    }
}

/// Reports keys that are not of this table.
pub(crate) fn report_unknown(entries: &[(Key, Value)], known: &[&str], context: &mut Context<'_>) {
    for (key, _) in entries.iter().filter(|(key, _)| !known.contains(&key.name.as_str())) {
        let hint = suggestion(&key.name, known.iter().copied(), "keys");
        context.error_with_hint(key.span, format_args!("unknown key `{}`", key.name), Some(hint));
    }
}

/// Defines a table of the pipeline file: a struct whose doc comments are the reference page. Lines between
/// "```toml" and "```" are its example, a fragment of a file. A key is required unless it has `= default, "as
/// shown"` or a type that may be missing (`Option`, `Named`). `check` names a function that looks at what a
/// single key cannot.
///
/// Keys named by a Rust keyword are written with a trailing underscore (`type_` reads `type`).
#[macro_export]
macro_rules! table {
    ($(#[doc = $text:literal])+ pub struct $name:ident {
        $($(#[doc = $key_text:literal])+ $key:ident : $ty:ty $(= $default:expr, $shown:literal)?;)+
    } $(check $check:path)?) => {
        $(#[doc = $text])+
        #[derive(Clone, Debug, PartialEq)]
        pub struct $name {
            $($(#[doc = $key_text])+ pub $key: $ty,)+
            /// Where the table stands.
            pub source: pliant_diag::Origin,
        }

        impl $crate::schema::FromValue for $name {
            fn from_value(value: &$crate::Value, context: &mut $crate::schema::Context<'_>) -> Option<Self> {
                let entries = $crate::schema::table_entries(value, context)?;
                let known = [$($crate::schema::key_name(stringify!($key))),+];
                $crate::schema::report_unknown(entries, &known, context);
                $(
                    let $key: Option<$ty> = {
                        let name = $crate::schema::key_name(stringify!($key));
                        match entries.iter().find(|(key, _)| key.name == name) {
                            Some((_, value)) => context.within(name, |context| {
                                <$ty as $crate::schema::FromValue>::from_value(value, context)
                            }),
                            None => {
                                let default: Option<$ty> = None $(.or(Some($default)))?;
                                let default = default.or_else(<$ty as $crate::schema::FromValue>::missing);
                                if default.is_none() {
                                    context.error(value.span, format_args!("missing key `{name}`"));
                                }
                                default
                            }
                        }
                    };
                )+
                let table = Self { $($key: $key?,)+ source: pliant_diag::Origin(value.span) };
                $(context.checking(value, |context| $check(&table, context));)?
                Some(table)
            }

            fn doc() -> $crate::schema::TypeDoc {
                let keys = vec![$({
                    let default: Option<&'static str> = None $(.or(Some($shown)))?;
                    $crate::schema::KeyDoc {
                        name: $crate::schema::key_name(stringify!($key)),
                        text: [$($key_text),+].concat().trim().to_owned(),
                        doc: <$ty as $crate::schema::FromValue>::doc(),
                        required: default.is_none() && <$ty as $crate::schema::FromValue>::missing().is_none(),
                        default,
                    }
                }),+];
                $crate::schema::table_doc(stringify!($name), &[$($text),+], keys)
            }
        }
    };
}

/// `type_` → `type`.
pub(crate) fn key_name(field: &'static str) -> &'static str {
    field.strip_suffix('_').unwrap_or(field)
}

/// The [`TypeDoc`] of a table with these keys. Its JSON schema refers to a definition, which
/// [`json_schema`](super::json_schema) writes once.
pub(crate) fn table_doc(name: &'static str, lines: &[&str], keys: Vec<KeyDoc>) -> TypeDoc {
    let (text, example) = split_example(lines);
    let mut tables = vec![TableDoc { name, text, example, keys: keys.clone(), choices: Vec::new() }];
    for inner in keys.into_iter().flat_map(|key| key.doc.tables) {
        if tables.iter().all(|table| table.name != inner.name) {
            tables.push(inner);
        }
    }
    let words = format!("table [{name}](#{})", name.to_lowercase());
    TypeDoc { words, json: reference_to(name), tables }
}

/// The text of doc comment lines, and what stands between "```toml" and "```" in them.
fn split_example(lines: &[&str]) -> (String, String) {
    let begin = lines.iter().position(|line| line.trim() == "```toml").unwrap_or(lines.len());
    let example = lines[begin..].iter().skip(1).take_while(|line| line.trim() != "```");
    // A doc comment has a blank before its text.
    let example: Vec<_> = example.map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    (lines[..begin].concat().trim().to_owned(), example.join("\n"))
}

/// A reference to the definition of a table.
pub(crate) fn reference_to(name: &str) -> serde_json::Value {
    serde_json::json!({ "$ref": format!("#/$defs/{name}") })
}

impl TableDoc {
    /// Its JSON schema.
    pub(crate) fn json(&self) -> serde_json::Value {
        if !self.choices.is_empty() {
            let mut tables: Vec<_> = self.choices.iter().map(|choice| choice.table).collect();
            tables.dedup();
            let tables: Vec<_> = tables.into_iter().map(reference_to).collect();
            return serde_json::json!({ "type": "object", "description": self.text, "anyOf": tables });
        }
        let property = |key: &KeyDoc| {
            let mut json = key.doc.json.clone();
            if let serde_json::Value::Object(object) = &mut json {
                object.insert("description".to_owned(), key.text.clone().into());
            }
            (key.name.to_owned(), json)
        };
        let properties: serde_json::Map<_, _> = self.keys.iter().map(property).collect();
        let required: Vec<_> = self.keys.iter().filter(|key| key.required).map(|key| key.name).collect();
        serde_json::json!({
            "type": "object",
            "description": self.text,
            "properties": properties,
            "required": required,
            "additionalProperties": false,
        })
    }
}
