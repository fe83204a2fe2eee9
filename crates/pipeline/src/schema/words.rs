//! Choices among words: the macro that makes an enum, its reader and its documentation from one definition.

/// Defines a choice among words: an enum with the word of each variant.
#[macro_export]
macro_rules! words {
    ($(#[doc = $text:literal])+ pub enum $name:ident {
        $($(#[doc = $word_text:literal])+ $variant:ident = $word:literal,)+
    }) => {
        $(#[doc = $text])+
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[doc = $word_text])+ $variant,)+
        }

        impl $name {
            /// Every word with its meaning.
            pub const WORDS: &'static [(&'static str, Self)] = &[$(($word, Self::$variant)),+];

            /// The word in the file.
            pub fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)+
                }
            }
        }

        impl $crate::schema::FromValue for $name {
            fn from_value(value: &$crate::Value, context: &mut $crate::schema::Context<'_>) -> Option<Self> {
                $crate::schema::read_word(value, Self::WORDS, context)
            }

            fn doc() -> $crate::schema::TypeDoc {
                $crate::schema::words_doc(&[$($word),+])
            }
        }
    };
}

use serde_json::json;

use crate::Value;
use crate::schema::{Context, FromValue, TypeDoc, suggestion};

/// Reads one of some words.
pub(crate) fn read_word<T: Copy>(
    value: &Value,
    words: &[(&'static str, T)],
    context: &mut Context<'_>,
) -> Option<T> {
    let found = String::from_value(value, context)?;
    if let Some((_, choice)) = words.iter().find(|(word, _)| *word == found) {
        return Some(*choice);
    }
    let hint = suggestion(&found, words.iter().map(|(word, _)| *word), "choices");
    context.error_with_hint(value.span, format_args!("`{found}` is not one of the choices"), Some(hint));
    None
}

/// The [`TypeDoc`] of a choice among words.
pub(crate) fn words_doc(words: &[&'static str]) -> TypeDoc {
    let shown: Vec<_> = words.iter().map(|word| format!("`{word}`")).collect();
    TypeDoc::plain(shown.join(", "), json!({ "type": "string", "enum": words }))
}
