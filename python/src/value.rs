//! Python's values as values of a pipeline file, and back.

use pliant_pipeline::{Document, Key, Value, ValueKind};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PySequence, PyString};

/// Deepest nesting of a value.
const DEEPEST: usize = 64;

/// A value of a pipeline file.
///
/// # Errors
/// `TypeError` for what a file cannot hold.
pub(crate) fn value(given: &Bound<'_, PyAny>) -> PyResult<Value> {
    nested(given, 0)
}

fn nested(given: &Bound<'_, PyAny>, depth: usize) -> PyResult<Value> {
    if depth > DEEPEST {
        return Err(PyValueError::new_err("a value contains itself, or is nested too deeply"));
    }
    let kind = if let Ok(yes) = given.cast::<PyBool>() {
        ValueKind::Boolean(yes.is_true())
    } else if let Ok(text) = given.cast::<PyString>() {
        ValueKind::String(text.extract()?)
    } else if let Ok(integer) = given.cast::<PyInt>() {
        ValueKind::Integer(integer.extract()?)
    } else if let Ok(number) = given.cast::<PyFloat>() {
        // 12.0 also serves keys that count, as in studies.
        return Ok(Value::from(number.value()));
    } else if let Ok(mapping) = given.cast::<PyMapping>() {
        let mut entries = Vec::new();
        for item in mapping.items()?.iter() {
            let (key, inner): (Bound<'_, PyAny>, Bound<'_, PyAny>) = item.extract()?;
            // A key without a value is left out, as a field of a dataclass that was not given.
            if !inner.is_none() {
                let name = key.extract().map_err(|_| {
                    PyTypeError::new_err(format!("the keys of a table are strings, found {key:?}"))
                })?;
                entries.push((Key { name, span: None }, nested(&inner, depth + 1)?));
            }
        }
        ValueKind::Table(entries)
    } else if let Ok(sequence) = given.cast::<PySequence>() {
        let items: PyResult<_> = sequence.try_iter()?.map(|item| nested(&item?, depth + 1)).collect();
        ValueKind::Array(items?)
    } else if given.hasattr("tolist")? {
        // Arrays and numbers of NumPy.
        return nested(&given.call_method0("tolist")?, depth + 1);
    } else if given.hasattr("__fspath__")? {
        ValueKind::String(given.call_method0("__fspath__")?.extract()?)
    } else if given.hasattr("__dataclass_fields__")? {
        let fields = given.py().import("dataclasses")?.call_method1("asdict", (given,))?;
        return nested(&fields, depth + 1);
    } else {
        let class = given.get_type().name()?;
        let known = "expected a number, a string, a bool, a list, a dict or a dataclass";
        return Err(PyTypeError::new_err(format!("a pipeline file holds no {class}; {known}")));
    };
    Ok(Value { kind, span: None })
}

/// A value of a pipeline file as Python has it.
pub(crate) fn python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match &value.kind {
        ValueKind::String(text) | ValueKind::Date(text) => PyString::new(py, text).into_any(),
        ValueKind::Integer(i) => i.into_pyobject(py)?.into_any(),
        ValueKind::Float(x) => PyFloat::new(py, *x).into_any(),
        ValueKind::Boolean(b) => PyBool::new(py, *b).to_owned().into_any(),
        ValueKind::Array(items) => {
            let items: PyResult<Vec<_>> = items.iter().map(|item| python(py, item)).collect();
            PyList::new(py, items?)?.into_any()
        }
        ValueKind::Table(entries) => {
            let table = PyDict::new(py);
            for (key, value) in entries {
                table.set_item(&key.name, python(py, value)?)?;
            }
            table.into_any()
        }
    })
}

/// A tree of tables as the text of a pipeline file.
#[pyfunction]
pub(crate) fn to_toml(tree: &Bound<'_, PyAny>) -> PyResult<String> {
    let root = value(tree)?;
    if !matches!(root.kind, ValueKind::Table(_)) {
        return Err(PyTypeError::new_err("a pipeline file is a dict of tables"));
    }
    Ok(Document { root }.to_toml())
}
