"""How much can an arm carry? Runs the arm of `pliant new` with several payloads: python payload.py machine.toml"""

import sys

import pliant


def largest_error(case: pliant.Case, mass: float) -> float:
    """Largest distance of the tip from its nominal motion (mm)."""
    with case.set({"payload.mass": mass}).run() as result:
        return 1e3 * result.numbers["tip_peak_error"]


def main() -> None:
    case = pliant.load(sys.argv[1])
    for mass in (0.0, 2.0, 4.0):
        print(f"{mass:4.1f} kg: {largest_error(case, mass):.3f} mm")
    table = pliant.study(case, grid={"payload.mass": [0, 2, 4]}).run().to_pandas()
    print(table[["payload.mass", "tip_peak_error"]])
    link = pliant.reduce("upper.bdf", inboard=1, interfaces={"elbow": 2}, modes=29, units="mm-t-s")
    print(f"{link.name}: {link.frequencies[0]:.1f} Hz")
    try:
        case.set({"payload.mas": 1})
    except pliant.InputError as error:
        print(error.diagnostics[0].hint)


if __name__ == "__main__":
    main()
