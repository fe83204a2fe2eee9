//! What a results file holds: every dataset with its axes, units and meaning. The writer takes them from
//! here, and so does the page of the documentation.

use std::fmt::Write;

use pliant_reduce::recovery::Quantity;

/// Raised when a reader of the file would have to change.
pub const RESULTS_VERSION: u32 = 1;

/// ParaView opens files of this extension as VTKHDF without being asked; for all other tools it is plain
/// HDF5.
pub const RESULTS_EXTENSION: &str = "vtkhdf";

/// One dataset, or one for each `<name>` of its path.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Item {
    /// Path; the groups of an analysis other than the first stand below `/analyses/<kind>`.
    pub(crate) path: &'static str,
    /// Names of its dimension scales.
    pub(crate) axes: &'static [&'static str],
    /// Units; those that depend on the joint or coordinate are distinguished in the file.
    pub(crate) units: &'static str,
    pub(crate) description: &'static str,
}

macro_rules! items {
    ($($name:ident = $path:literal, [$($axis:literal),*], $units:literal, $description:literal;)+) => {
        $(pub(crate) const $name: Item =
            Item { path: $path, axes: &[$($axis),*], units: $units, description: $description };)+
        /// Every dataset.
        pub(crate) const ALL: &[Item] = &[$($name),+];
    };
}

items! {
    TIME = "/time", ["time"], "s", "time of each output";
    XYZ = "/xyz", ["xyz"], "1", "components of a vector in world axes";
    COMPONENT = "/component", ["component"], "1", "force and moment, or translation and rotation, in that order";
    QUATERNION = "/quaternion", ["quaternion"], "1", "components of a unit quaternion, the scalar first";

    MACHINE_ANALYSIS = "/machine/analysis", ["analysis"], "1", "kinds of analysis in their order: the data of the first stand at the root, those of the others below /analyses/<kind>";
    MACHINE_LINK = "/machine/link", ["link"], "1", "names of the links as groups of /links, in the order of the pipeline file";
    MACHINE_JOINT = "/machine/joint", ["joint"], "1", "names of the joints as groups of /joints, in the order of the pipeline file";
    GRAVITY = "/machine/gravity", ["xyz"], "m/s2", "acceleration of gravity in the world; zero: none";
    SYMBOL = "/machine/symbol", ["symbol"], "1", "names of what the machine is drawn with besides its links: joints, rods, springs, cylinders, bushings, guides, bearings, gears by their joint, and payloads by their interface";
    SYMBOL_KIND = "/machine/symbol_kind", ["symbol"], "1", "kind of each symbol: revolute, sliding, …, rod, cylinder, spring, damper, spring and damper, bushing, line, plane, bearing, gear, payload";
    SYMBOL_ENDS = "/machine/end", ["end"], "1", "the two ends of a symbol: parent and child of a joint";
    SYMBOL_LINK = "/machine/symbol_link", ["symbol", "end"], "1", "link that each end is on, by its number in /VTKHDF, from 1; 0: the ground";
    SYMBOL_INTERFACE = "/machine/symbol_interface", ["symbol", "end", "xyz"], "m", "interface that each end is on, in the undeformed link frame; its origin where the end is on the frame itself";
    SYMBOL_POINT = "/machine/symbol_point", ["symbol", "end", "xyz"], "m", "each end in the undeformed link frame";
    SYMBOL_AXIS = "/machine/symbol_axis", ["symbol", "xyz"], "1", "axis of a joint in the frame of the link of its second end; direction of a line and normal of a plane in that of its first; zero without one";
    SYMBOL_FRAME = "/machine/symbol_frame", ["symbol", "xyz", "xyz"], "1", "rotation from the axes in which the load of a symbol is given (of a joint those on its child, of a bushing or line those of its first end) to those of the link of that end";
    SYMBOL_MASS = "/machine/symbol_mass", ["symbol"], "kg", "mass of a payload; 0 for the others";

    JOINT_COORDINATE = "/joints/<joint>/coordinate", ["coordinate"], "1", "names of the joint's coordinates, where it has more than one";
    JOINT_POSITION_NAME = "/joints/<joint>/position_name", ["position_name"], "1", "names of the positions of a joint that has a quaternion";
    JOINT_POSITION = "/joints/<joint>/position", ["time", "coordinate"], "rad or m", "joint position";
    JOINT_VELOCITY = "/joints/<joint>/velocity", ["time", "coordinate"], "rad/s or m/s", "joint velocity; the attributes `coordinate_units` (rad, m) and `drives` (prescribed, torque, servo, hydraulic, free) have a word for each coordinate, separated by commas";
    JOINT_ACCELERATION = "/joints/<joint>/acceleration", ["time", "coordinate"], "rad/s2 or m/s2", "joint acceleration";
    JOINT_TORQUE = "/joints/<joint>/torque", ["time", "coordinate"], "N m or N", "drive torque (of a sliding coordinate: force); zero where there is no drive";
    JOINT_RIGID_TORQUE = "/joints/<joint>/rigid_torque", ["time", "coordinate"], "N m or N", "drive torque that the machine with rigid links takes for its nominal motion";
    JOINT_NOMINAL = "/joints/<joint>/nominal_position", ["time", "coordinate"], "rad or m", "position of the joint in the machine with rigid links, where it is not prescribed";
    JOINT_BEARING_COMPONENT = "/joints/<joint>/bearing_component", ["bearing_component"], "1", "compliant components of the bearing, 1 to 6 in joint axes";
    JOINT_BEARING = "/joints/<joint>/bearing", ["time", "bearing_component"], "m, rad", "displacement in the bearing, in joint axes";
    JOINT_LOAD = "/joints/<joint>/load", ["time", "component"], "N, N m", "force and moment that the joint gives to its child link, at and in the joint frame on the child; of a sliding joint in the middle of the grip, x along the axis";

    FORCE_PUSH = "/forces/<force>/push", ["time"], "N", "force that a spring, damper, cylinder, distance or plane pushes its two points apart with; tension is negative";
    FORCE_REACTION = "/forces/<line>/reaction", ["time", "xyz"], "N", "force that a line gives to the point it guides, in the axes of its first end";
    FORCE_LENGTH = "/forces/<force>/length", ["time"], "m", "distance of the two points of a spring, damper or cylinder";
    FORCE_DEFLECTION = "/forces/<bushing>/deflection", ["time", "component"], "m, rad", "displacement and rotation of a bushing, in the axes of its first end";
    FORCE_LOAD = "/forces/<bushing>/load", ["time", "component"], "N, N m", "force and moment that a bushing gives to its second end, in the axes of its first";

    LINK_COORDINATE = "/links/<link>/coordinate", ["coordinate"], "1", "names of the elastic coordinates: components of interfaces, then modes";
    LINK_COORDINATE_UNITS = "/links/<link>/coordinate_units", ["coordinate"], "1", "units of the elastic coordinates";
    LINK_COORDINATES = "/links/<link>/coordinates", ["time", "coordinate"], "m, rad, kg^0.5 m", "elastic coordinates; their units stand in coordinate_units";
    LINK_RATES = "/links/<link>/rates", ["time", "coordinate"], "m/s, rad/s, kg^0.5 m/s", "rates of the elastic coordinates";
    LINK_ORIGIN = "/links/<link>/origin", ["time", "xyz"], "m", "origin of the link frame in the world";
    LINK_ORIENTATION = "/links/<link>/orientation", ["time", "quaternion"], "1", "rotation of the link frame in the world";
    LINK_NOMINAL_ORIGIN = "/links/<link>/nominal_origin", ["time", "xyz"], "m", "origin of the link frame in the machine with rigid links, in the world";
    LINK_NOMINAL_ORIENTATION = "/links/<link>/nominal_orientation", ["time", "quaternion"], "1", "rotation of the link frame in the machine with rigid links, in the world";
    LINK_HEALTH = "/links/<link>/health/<number>", [], "each its own", "a number of the link's reduction: mass, mass_error, inertia_error, grounding, mesh_components, coordinates, first_frequency, first_frequency_of_mesh";
    LINK_MODE = "/links/<link>/health/mode", ["mode"], "1", "number of the mode, from 1";
    LINK_MODES_HZ = "/links/<link>/health/modes_hz", ["mode"], "Hz", "frequencies of the modes kept, under the conditions of the basis; failed checks that the pipeline file accepts stand in the attribute `accepted`, and `fingerprint` is the same for links whose coordinates mean the same";
    LINK_INTERFACE_LOAD = "/links/<link>/interface_loads/<interface>", ["time", "component"], "N, N m", "force and moment that the link gives to payload and children, at and in the deformed triad of the interface";

    LINK_STRESS_ELEMENT = "/links/<link>/stress/element", ["element"], "1", "number of the element";
    LINK_STRESS_PROPERTY = "/links/<link>/stress/property", ["element"], "1", "number of its property; 0 for none";
    LINK_STRESS_MAX = "/links/<link>/stress/von_mises_max", ["element"], "Pa", "largest equivalent stress (von Mises) of the element over the run, at any of its points; of a bar or rod the largest axial stress";
    LINK_STRESS_TIME = "/links/<link>/stress/von_mises_max_time", ["element"], "s", "time of that";
    LINK_DAMAGE = "/links/<link>/stress/damage", ["element"], "1", "damage of the element by all repeats of `[durability]`, at the worst of its points and planes; infinite where the stress reaches the strength";
    LINK_LIFE = "/links/<link>/stress/life", ["element"], "1", "repeats of the run, or sequences of its blocks, until the damage of the element is 1; infinite where there is none";
    LINK_STRESS_ALLOWABLE = "/links/<link>/stress/allowable", ["element"], "Pa", "equivalent stress that is allowed of the element, by `allowable` of `[output]` or by its material in the deck, infinite where none is known; only where one is known of some element";
    LINK_STRESS_PEAK_ROW = "/links/<link>/stress/peak_row", ["peak_row"], "1", "numbers of the rows of peak_rows";
    LINK_STRESS_PEAK_ROWS = "/links/<link>/stress/peak_rows", ["peak_row", "coordinate"], "Pa", "R of the point with the largest equivalent stress of the link, for a unit of each of its coordinates q: the equivalent stress there is the size √((R q)·(R q)) of R q at all times";
    LINK_STRAIN_ELEMENT = "/links/<link>/strain/element", ["element"], "1", "number of the element";
    LINK_STRAIN_PROPERTY = "/links/<link>/strain/property", ["element"], "1", "number of its property; 0 for none";
    LINK_STRAIN_MAX = "/links/<link>/strain/principal_max", ["element"], "1", "size of the principal strain of the element that was largest in size over the run, at any of its points (of a shell in its plane); of a bar or rod the largest axial strain";
    LINK_STRAIN_TIME = "/links/<link>/strain/principal_max_time", ["element"], "s", "time of that";
    STRESS_COMPONENT = "/links/<link>/elements/<element>/stress_component", ["stress_component"], "1", "names of the numbers of an element: forces (N, N m) and axial stress of a bar at its ends, stress of a shell at both faces of its centre and, where it varies, of its corners in element axes (components `bottom.xx`, `corner 1 bottom.xx`), of a laminate at the bottom and top of each ply in its own axes, of a solid at centroid and corners in link axes";
    ELEMENT_STRESS = "/links/<link>/elements/<element>/stress", ["time", "stress_component"], "Pa, N, N m", "stress of an element; end forces of a bar";
    STRAIN_COMPONENT = "/links/<link>/elements/<element>/strain_component", ["strain_component"], "1", "names of the numbers of an element: strain of the axis, twist per length (rad/m) and curvatures (1/m) of a bar at its ends, then its axial strain at the stress points; of shells, laminates and solids as the stress, shear as the angle γ = 2ε";
    ELEMENT_STRAIN = "/links/<link>/elements/<element>/strain", ["time", "strain_component"], "1, rad/m, 1/m", "strain of an element; twist and curvatures of a bar";
    LINK_GAUGE = "/links/<link>/gauges/<gauge>", ["time"], "1", "strain that a gauge reads";

    TIP_NOMINAL = "/tip/nominal", ["time", "xyz"], "m", "tip of the machine with rigid links, in the world";
    TIP_ACTUAL = "/tip/actual", ["time", "xyz"], "m", "tip, in the world";
    TIP_ERROR = "/tip/error", ["time", "xyz"], "m", "actual minus nominal position of the tip, in world axes";
    TIP_ROTATION_ERROR = "/tip/rotation_error", ["time", "xyz"], "rad", "rotation vector from the nominal to the actual tip, in world axes";
    TIP_NOMINAL_ORIENTATION = "/tip/nominal_orientation", ["time", "quaternion"], "1", "rotation of the nominal tip in the world";
    TIP_ACTUAL_ORIENTATION = "/tip/actual_orientation", ["time", "quaternion"], "1", "rotation of the tip in the world";

    ENERGY_KINETIC = "/energy/kinetic", ["time"], "J", "kinetic energy, rotors included";
    ENERGY_STRAIN = "/energy/strain", ["time"], "J", "strain energy of links, bearings and joint springs";
    ENERGY_GRAVITY = "/energy/gravity", ["time"], "J", "potential of gravity, zero at the world's origin";
    ENERGY_DRIVE = "/energy/drive_work", ["time"], "J", "work of drives since the start";
    ENERGY_LOAD = "/energy/load_work", ["time"], "J", "work of loads since the start";
    ENERGY_DISSIPATED = "/energy/dissipated", ["time"], "J", "energy lost in damping and friction since the start";
    ENERGY_BALANCE = "/energy/balance", ["time"], "J", "stored energy minus works plus losses, minus its value at the start: the error of the integration";

    SOLVER_STEPS = "/solver/steps", ["time"], "1", "steps taken since the start";
    SOLVER_ITERATIONS = "/solver/iterations", ["time"], "1", "equilibrium iterations since the start";
    SOLVER_CUTS = "/solver/cuts", ["time"], "1", "steps halved since the start";
    SOLVER_REJECTED = "/solver/rejected", ["time"], "1", "steps refused by the error control since the start";

    METRIC = "/metrics/<metric>", [], "each its own", "one number of the run; `pliant show` lists them";

    WARNING = "/warnings/warning", ["warning"], "1", "number of the warning, from 1";
    WARNING_TIME = "/warnings/time_of_warning", ["warning"], "s", "when it was first seen";
    WARNING_SUBJECT = "/warnings/place", ["warning"], "1", "link or joint";
    WARNING_MESSAGE = "/warnings/message", ["warning"], "1", "what, with its size";

    INPUT_PIPELINE = "/inputs/pipeline", [], "1", "the pipeline file, as it was read";
    INPUT_FILE = "/inputs/file", ["file"], "1", "number of the input file, from 1";
    INPUT_PATH = "/inputs/path", ["file"], "1", "path of each input file: the pipeline file, then the files of the links";
    INPUT_SHA256 = "/inputs/sha256", ["file"], "1", "SHA-256 of each input file";
    INPUT_SIZE = "/inputs/size", ["file"], "byte", "size of each input file";
}

/// Where a quantity of elements stands.
pub(crate) struct ElementItems {
    /// Numbers of the elements.
    pub(crate) element: Item,
    /// Those of their properties.
    pub(crate) property: Item,
    /// The largest over the run, and when.
    pub(crate) largest: [Item; 2],
    /// Names of the components of an element.
    pub(crate) component: Item,
    /// The components over time.
    pub(crate) history: Item,
    /// Of each cell of `/VTKHDF`: name, units, what.
    pub(crate) cell: (&'static str, &'static str, &'static str),
}

/// Of stress.
const STRESS: ElementItems = ElementItems {
    element: LINK_STRESS_ELEMENT,
    property: LINK_STRESS_PROPERTY,
    largest: [LINK_STRESS_MAX, LINK_STRESS_TIME],
    component: STRESS_COMPONENT,
    history: ELEMENT_STRESS,
    cell: (
        "von_mises",
        "Pa",
        "largest equivalent stress (von Mises) of the element, 0 where none is recovered, frame after frame",
    ),
};

/// Of strain.
const STRAIN: ElementItems = ElementItems {
    element: LINK_STRAIN_ELEMENT,
    property: LINK_STRAIN_PROPERTY,
    largest: [LINK_STRAIN_MAX, LINK_STRAIN_TIME],
    component: STRAIN_COMPONENT,
    history: ELEMENT_STRAIN,
    cell: (
        "principal_strain",
        "1",
        "size of the principal strain of the element that is largest in size, 0 where none is recovered, frame after frame",
    ),
};

/// Where a quantity stands.
pub(crate) fn elements(quantity: Quantity) -> &'static ElementItems {
    match quantity {
        Quantity::Stress => &STRESS,
        Quantity::Strain => &STRAIN,
    }
}

/// Attributes of the root and of the group of each analysis.
pub(crate) const ATTRIBUTES: &[(&str, &str)] = &[
    ("schema_version", "of this layout; a reader of another one should refuse the file"),
    ("program", "what wrote it"),
    ("program_version", "of the program"),
    ("title", "of the pipeline file"),
    ("created", "when the run began, UTC"),
    (
        "analysis",
        "which equations were solved: nonlinear, quasi-static, rigid, …; on the group of each analysis",
    ),
    ("state", "`complete`, or `recovered` when the run did not come to its end"),
];

impl Item {
    /// The last two parts of its path.
    pub(crate) fn group_and_name(&self) -> (&'static str, &'static str) {
        let mut parts = self.path.rsplit('/');
        let name = parts.next().unwrap_or_default();
        (parts.next().unwrap_or_default(), name)
    }

    /// The path with a name instead of each `<…>`, below a prefix.
    pub(crate) fn path_of(&self, prefix: &str, names: &[&str]) -> String {
        let mut names = names.iter();
        let parts = self.path.split('/').map(|part| {
            if part.starts_with('<') {
                group_name(names.next().expect("invariant: a name for each part of the path in `<…>`"))
            } else {
                part.to_owned()
            }
        });
        format!("{prefix}{}", parts.collect::<Vec<_>>().join("/"))
    }
}

/// A user's name as the name of a group: `/` divides groups and `.` is a group itself.
pub(crate) fn group_name(name: &str) -> String {
    match name {
        "." | ".." | "" => "_".to_owned(),
        name => name.replace(['/', '\0'], "_"),
    }
}

/// The first two names that become one in a results file, such as `a/b` and `a_b`.
pub fn colliding_names<'a>(names: impl IntoIterator<Item = &'a str>) -> Option<(&'a str, &'a str)> {
    let mut seen = std::collections::HashMap::new();
    names.into_iter().find_map(|name| seen.insert(group_name(name), name).map(|first| (first, name)))
}

/// The page of the documentation, in Markdown.
pub fn results_page() -> String {
    let mut page = String::from(INTRODUCTION);
    let mut line =
        |text: String| writeln!(page, "{text}").expect("invariant: writing to a string cannot fail");
    line(format!("\nThis page describes `schema_version` {RESULTS_VERSION}.\n\n## Attributes of the root\n"));
    line("| attribute | meaning |\n|---|---|".to_owned());
    for (name, meaning) in ATTRIBUTES {
        line(format!("| `{name}` | {meaning} |"));
    }
    line("\n## Datasets\n\n| path | axes | units | meaning |\n|---|---|---|---|".to_owned());
    for item in ALL {
        // Markdown would take `<kind>` for a tag.
        line(format!(
            "| `{}` | {} | {} | {} |",
            item.path,
            item.axes.join(", "),
            item.units,
            item.description.replace('<', "&lt;")
        ));
    }
    page.push_str(VTK);
    page
}

const VTK: &str = "
## Deformed shapes

`/VTKHDF` is a temporal unstructured grid of VTK's own format (version 2.0): `Points` are the grids of all links in the world, one set for each of
the `frames` of `[output]`, deformed as computed, the displacement of second order included: interfaces are drawn exactly where joints and tips are; bars keep
their lengths between them; in meshes of shells and solids it is the static response to the second-order displacements of the interfaces (in a basis without
coordinates of interfaces a mean weighted by distance), so that there is no gap where links meet. Point data `displacement` (m) and `rotation` (rad) are the elastic part alone, in world axes, so that
Warp By Vector with `displacement` exaggerates the deformation of each link by itself. `deviation` (m) is the displacement of the GRID from where the rigid machine in its
nominal motion has it, and is there where the run has such a machine to compare with (zero from where it is lost): links meet at their joints in both machines, so that Warp By Vector with `deviation` keeps them together at any factor. `grid` is the number of the GRID. Cell data `link`,
`property` and `element` are numbers; `von_mises` (Pa), where `[output] stress` asks for it, is the largest equivalent stress of the element, and `principal_strain`, where `strain` asks for
it, the size of its largest principal strain, 0 where none is recovered; `damage` and `life`, where `[durability]` asks for them, are those of the element, the same in all frames; the attribute `links` of `link` has the names, one a line. A link without a mesh is drawn as sticks from its frame to its
interfaces. `pliant modes --out` writes such a file of the undeformed mesh with one step for each mode, scaled so that its largest translation is a tenth of the
mesh; `/modes/frequency` has the frequencies. Datasets whose name begins with `axis_` are axes without values.
";

const INTRODUCTION: &str = "# The results file

<!-- Written from crates/store/src/results/schema.rs by the test `documentation` of crates/store. -->

`pliant run` leaves one HDF5 file. Every dataset has the attributes `units` and `description`, and every axis a dimension scale, so
that h5py, xarray and MATLAB see named axes. All numbers are SI. `/VTKHDF` in the same file is what ParaView opens.

While a run goes on the file is called `FILE.part`; whatever happens to the run, `pliant recover FILE.part` makes a results file of what
had been computed, but for the last second or so. A file without `.part` is complete. It ends with a seal of 128 bytes behind the end that
HDF5 knows, its length and a hash of its bytes (XXH3, 128 bits; SHA-256 in former files): `pliant` refuses a file that was damaged or changed, other programs do not see it.

A run of several analyses has the first one at the root and the others below `/analyses/<kind>`, each with the same groups. The coordinate axis
of a joint with a single coordinate is left out: its position is one number for each time. `/` in the name of a link or joint is `_` here.
";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_leave_their_group() {
        assert_eq!(LINK_INTERFACE_LOAD.path_of("", &["a/b", ".."]), "/links/a_b/interface_loads/_");
    }
}
