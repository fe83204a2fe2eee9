//! Precedence, names and errors of expressions, as a user of a pipeline file meets them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use pliant_expression::{Binary, FUNCTIONS, MAX_LEVELS, Node, Unary, parse, unary};

/// The value with x = 3 and functions of one number.
fn value(text: &str) -> f64 {
    fn of(node: &Node) -> f64 {
        match node {
            Node::Number(x) => *x,
            Node::Name { name, .. } => {
                assert_eq!(name, "x");
                3.0
            }
            Node::Call { name, arguments, .. } => unary(name).unwrap()(of(&arguments[0])),
            Node::Unary(operator, x) => operator.function()(of(x)),
            Node::Binary(operator, x) => operator.function()(of(&x[0]), of(&x[1])),
        }
    }
    of(&parse(text, &[]).unwrap())
}

fn error(text: &str) -> (usize, String) {
    let error = parse(text, &["max"]).unwrap_err();
    (error.at, error.message)
}

#[test]
fn arithmetic_binds_as_in_a_textbook() {
    for (text, expected) in [
        ("1 + 2 * 3", 7.0),
        ("(1 + 2) * 3", 9.0),
        ("8 / 4 / 2", 1.0),
        ("8 - 4 - 2", 2.0),
        ("2 ^ 3 ^ 2", 512.0),
        ("-2 ^ 2", -4.0),
        ("2 ^ -1", 0.5),
        ("(-2) ^ 2", 4.0),
        ("2 * -3", -6.0),
        ("--3 + +4", 7.0),
        ("x^2 - 2*x + 1", 4.0),
        ("1.5e-1 * 2E1", 3.0),
        (".5 + 1.", 1.5),
        ("1e3-1", 999.0),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
    assert_eq!(value("pi"), std::f64::consts::PI);
}

#[test]
fn logic_gives_one_or_zero() {
    for (text, expected) in [
        ("1 < 2 or 1 / 0 < 0 and 0", 1.0),
        ("(1 < 2 or 0) and 0", 0.0),
        ("not 1 < 2", 0.0),
        ("not x", 0.0),
        ("not 0 and 1", 1.0),
        ("2 and 3", 1.0),
        ("x == 3", 1.0),
        ("x != 3", 0.0),
        ("2 >= 2 and 2 <= 2 and not 2 > 2", 1.0),
        ("1 + (x > 2) * 10", 11.0),
    ] {
        assert_eq!(value(text), expected, "{text}");
    }
}

/// Every function of the list against a value that a table has, and names that are none.
#[test]
fn functions_are_the_ones_they_are_named_after() {
    for (text, expected) in [
        ("sin(pi/6)", 0.5),
        ("cos(pi/3)", 0.5),
        ("tan(pi/4)", 1.0),
        ("asin(1)", std::f64::consts::FRAC_PI_2),
        ("acos(0)", std::f64::consts::FRAC_PI_2),
        ("atan(1)", std::f64::consts::FRAC_PI_4),
        ("sinh(ln(2))", 0.75),
        ("cosh(ln(2))", 1.25),
        ("tanh(ln(2))", 0.6),
        ("exp(1)", std::f64::consts::E),
        ("ln(exp(2))", 2.0),
        ("sqrt(2)^2", 2.0),
        ("abs(-3)", 3.0),
        ("sign(-3)", -1.0),
        ("sign(0)", 0.0),
        ("step(0)", 1.0),
        ("step(-1e-300)", 0.0),
        ("rad(180)", std::f64::consts::PI),
    ] {
        // A few roundings of numbers near 1.
        assert!((value(text) - expected).abs() < 4.0 * f64::EPSILON, "{text} = {}", value(text));
    }
    let mut names: Vec<_> = FUNCTIONS.iter().map(|(name, _)| *name).collect();
    names.sort_unstable();
    names.dedup();
    assert_eq!(names.len(), FUNCTIONS.len(), "no name stands twice");
    assert!(unary("arcsin").is_none() && unary("Sin").is_none());
}

#[test]
fn the_tree_is_the_text() {
    let number = |x: f64| Node::Number(x);
    let name = |name: &str, at| Node::Name { name: name.to_owned(), at };
    let minus = |node| Node::Unary(Unary::Minus, Box::new(node));
    let of = |operator, a, b| Node::Binary(operator, Box::new([a, b]));
    assert_eq!(parse("-a^2", &[]).unwrap(), minus(of(Binary::Power, name("a", 1), number(2.0))));
    let call = Node::Call { name: "max".to_owned(), at: 2, arguments: vec![name("a", 6), name("b.c", 9)] };
    assert_eq!(parse("1*max(a, b.c)", &["max"]).unwrap(), of(Binary::Multiply, number(1.0), call));
}

/// A word of an operator is part of a longer name, and a name is no number.
#[test]
fn names_are_taken_entirely() {
    let names = |text: &str| {
        let node = parse(text, &[]).unwrap();
        node.names().into_iter().map(|(name, at)| (name.to_owned(), at)).collect::<Vec<_>>()
    };
    assert_eq!(names("android or order"), [("android".to_owned(), 0), ("order".to_owned(), 11)]);
    assert_eq!(names("not_a and nothing"), [("not_a".to_owned(), 0), ("nothing".to_owned(), 10)]);
    assert_eq!(
        names("`links.upper-arm.T` + pi2"),
        [("links.upper-arm.T".to_owned(), 0), ("pi2".to_owned(), 22)]
    );
}

#[test]
fn errors_say_what_and_where() {
    for (text, at, what) in [
        ("", 0, "expected a number"),
        ("1 +", 3, "expected a number"),
        ("1 2", 2, "expected an operator"),
        ("(1 + 2", 6, "expected `)`"),
        ("1 + 2)", 5, "expected an operator"),
        ("max + 1", 4, "expected `(` after `max`"),
        ("max()", 4, "expected a number"),
        ("max(1,)", 6, "expected a number"),
        ("1.2.3", 0, "`1.2.3` is not a number"),
        ("2 * 1e", 4, "`1e` is not a number"),
        ("a < b < c", 6, "comparisons cannot be chained"),
        ("``", 0, "closing backtick"),
        ("1 + é", 4, "expected a number"),
        ("a = 1", 2, "expected an operator"),
    ] {
        let (found_at, message) = error(text);
        assert!(message.contains(what), "{text}: {message}");
        assert_eq!(found_at, at, "{text}: {message}");
    }
    assert_eq!(parse("1 2", &[]).unwrap_err().to_string(), "column 3: expected an operator, found `2`");
}

/// Neither a file nor a study can make the parser use up the stack.
#[test]
fn nesting_has_a_limit() {
    let nested = |levels: usize| format!("{}1{}", "(".repeat(levels), ")".repeat(levels));
    assert_eq!(value(&nested(MAX_LEVELS - 1)), 1.0);
    let message = "the expression is nested more than 32 levels deep";
    for text in [nested(MAX_LEVELS), nested(100_000), format!("{}1", "2^".repeat(100_000))] {
        assert_eq!(error(&text).1, message);
    }
}
