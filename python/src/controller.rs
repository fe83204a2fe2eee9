//! A Python callable as a controller.

use std::sync::{Arc, Mutex};

use pliant_mechanism::{ControlError, ControlLaw, Controller, Measurement as Measured};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;

/// The exception that a callable has raised, until the run has ended.
pub(crate) type Raised = Arc<Mutex<Option<PyErr>>>;

/// A callable `f(t, y)` that returns a torque.
#[derive(Debug)]
pub(crate) struct Callable {
    pub(crate) function: Arc<Py<PyAny>>,
    pub(crate) raised: Raised,
}

/// What a controller measures at a sample.
#[pyclass(frozen, module = "pliant")]
#[derive(Debug)]
pub(crate) struct Measurement {
    /// Position of the joint (rad, m).
    #[pyo3(get)]
    position: f64,
    /// Rate of the joint (rad/s, m/s).
    #[pyo3(get)]
    rate: f64,
    /// The commanded position (rad, m).
    #[pyo3(get)]
    command: f64,
    /// The commanded rate (rad/s, m/s).
    #[pyo3(get)]
    command_rate: f64,
    /// The commanded acceleration (rad/s², m/s²).
    #[pyo3(get)]
    command_acceleration: f64,
    /// Torque or force that holds the joint in the equilibrium of the start (N·m, N); 0 without.
    #[pyo3(get)]
    holding: f64,
    names: Arc<Vec<String>>,
    joints: Vec<[f64; 2]>,
}

#[pymethods]
impl Measurement {
    /// Position and rate of another joint: `position, rate = y["shoulder"]`.
    fn __getitem__(&self, joint: &str) -> PyResult<(f64, f64)> {
        let at = self.names.iter().position(|name| name == joint);
        let [position, rate] = at.map(|at| self.joints[at]).ok_or_else(|| {
            PyKeyError::new_err(format!(
                "there is no joint {joint:?}; the joints are {}",
                self.names.join(", ")
            ))
        })?;
        Ok((position, rate))
    }

    fn __repr__(&self) -> String {
        let Self { position, rate, command, command_rate, .. } = self;
        format!(
            "Measurement(position={position}, rate={rate}, command={command}, command_rate={command_rate})"
        )
    }
}

impl ControlLaw for Callable {
    fn start(&self, joints: &[String]) -> Box<dyn Controller> {
        let (function, raised) = (Arc::clone(&self.function), Arc::clone(&self.raised));
        let mut failed = None;
        Python::attach(|py| {
            let function = function.bind(py);
            if function.hasattr("reset").unwrap_or(false)
                && let Err(error) = function.call_method0("reset")
            {
                failed = Some(keep(error, &raised));
            }
        });
        Box::new(AtWork { function, raised, names: Arc::new(joints.to_vec()), failed })
    }
}

/// A callable in one analysis.
#[derive(Debug)]
struct AtWork {
    function: Arc<Py<PyAny>>,
    raised: Raised,
    names: Arc<Vec<String>>,
    /// Why it could not be started.
    failed: Option<ControlError>,
}

impl Controller for AtWork {
    fn torque(&mut self, measured: &Measured<'_>) -> Result<f64, ControlError> {
        if let Some(error) = self.failed.take() {
            return Err(error);
        }
        let y = Measurement {
            position: measured.position,
            rate: measured.rate,
            command: measured.command.value,
            command_rate: measured.command.rate,
            command_acceleration: measured.command.acceleration,
            holding: measured.holding,
            names: Arc::clone(&self.names),
            joints: measured.joints.to_vec(),
        };
        Python::attach(|py| {
            let torque =
                self.function.bind(py).call1((measured.t, y)).and_then(|torque| torque.extract::<f64>());
            torque.map_err(|error| keep(error, &self.raised))
        })
    }
}

/// Keeps an exception for the end of the run.
fn keep(error: PyErr, raised: &Raised) -> ControlError {
    let message = error.to_string();
    *raised.lock().expect("invariant: nobody panics with the exception") = Some(error);
    ControlError { message }
}
