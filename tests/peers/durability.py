"""Cycles, damage and factors of other codes for crates/durability/tests/peers.rs.

Needs Python 3.11 with rainflow 3.2.0, fatpack 0.7.8, py_fatigue 2.1.1 and pylife 2.3.1 (PyPI). Run from the root of
the repository; writes crates/durability/tests/peers.json.
"""

import collections
import json
import random

import fatpack
import numpy as np
import pandas as pd
import py_fatigue
import pylife.strength.meanstress  # noqa: F401 (registers the accessor)
import rainflow
import pylife._fkm_linear_functions as extension
from pylife.strength.fkm_linear.constants import consts_fkm
from py_fatigue.damage.stress_life import calc_pm
from py_fatigue.mean_stress.corrections import swt_mean_stress_correction, walker_mean_stress_correction
from pylife.strength.meanstress import HaighDiagram

random.seed(25)


def walk(count, digits, smooth):
    value, found = 0.0, []
    for _ in range(count):
        value = smooth * value + random.gauss(0.0, 1.0)
        found.append(round(100.0 * value, digits))
    return found


# White, coloured, of few levels (with plateaus and equal ranges), and slow.
histories = [walk(80, 3, 0.0), walk(150, 3, 0.9), [float(random.randint(-4, 4)) for _ in range(120)], walk(300, 1, 0.99)]


def counted(history):
    astm = [[r, m, c, i, j] for r, m, c, i, j in rainflow.extract_cycles(history)]
    reversals = np.array([value for _, value in rainflow.reversals(history)])
    closed, _ = fatpack.find_rainflow_cycles(reversals)
    # What the third copy of a history adds to two of them. (fatpack's concatenate_reversals loses the peak of a history
    # whose first or last sample is its largest: where the slopes at both ends differ it drops the wrong one of the two.)
    copies = []
    for count in [2, 3]:
        values = np.array([value for _, value in rainflow.reversals(count * history)])
        cycles, _ = fatpack.find_rainflow_cycles(values)
        copies.append(collections.Counter(map(tuple, cycles.tolist())))
    repeated = np.array(sorted((copies[1] - copies[0]).elements()))
    return {"history": history, "astm": astm, "four_point": closed.tolist(), "repeated": repeated.tolist()}


# DNV-RP-C203 D in air, the same with a limit at 1e8, one slope, three slopes; stress ranges in MPa.
curves = [
    ([3.0, 5.0], [12.164, 15.606], np.inf),
    ([3.0, 5.0], [12.164, 15.606], 1e8),
    ([4.0], [13.5], np.inf),
    ([3.0, 4.0, 6.0], [12.0, 13.8, 17.2], 1e9),
]
ranges = [1.0, 5.0, 20.0, 52.6, 53.0, 80.0, 100.0, 250.0, 900.0]
counts = [1e6, 3e5, 1e5, 2e4, 2e4, 1e4, 5e3, 100.0, 0.5]
damages = []
for slope, intercept, endurance in curves:
    curve = py_fatigue.SNCurve(slope=slope, intercept=intercept, endurance=endurance, norm="", unit_string="MPa")
    each = calc_pm(np.array(ranges), np.array(counts), curve)
    knees = [(b2 - b1) / (m2 - m1) for m1, m2, b1, b2 in zip(slope, slope[1:], intercept, intercept[1:])]
    knee_points = [[10 ** (b - m * k), 10**k] for m, b, k in zip(slope, intercept, knees)]
    damages.append({
        "slope": slope, "intercept": intercept, "endurance": None if np.isinf(endurance) else endurance,
        "knees": knee_points, "each": each.tolist(), "total": float(np.sum(each)),
    })

amplitudes = [10.0, 50.0, 50.0, 50.0, 50.0, 50.0, 80.0, 120.0]
means = [0.0, -200.0, -50.0, 20.0, 50.0, 110.0, 240.0, 500.0]
cycles = pd.DataFrame({"range": [2.0 * a for a in amplitudes], "mean": means, "cycles": 1.0})
fkm = {}
for sensitivity in [0.15, 0.3]:
    diagram = HaighDiagram.from_dict({
        (1.0, np.inf): 0.0, (-np.inf, 0.0): sensitivity, (0.0, 0.5): sensitivity / 3.0, (0.5, 1.0): 0.0,
    })
    fkm[str(sensitivity)] = {
        str(ratio): (diagram.transform(cycles, ratio)["range"] / 2.0).tolist() for ratio in [-1.0, 0.0]
    }

tension = [(a, m) for a, m in zip(amplitudes, means) if a + m > 0.0]
a, m = (np.array(column) for column in zip(*tension))
laws = {
    "amplitude": a.tolist(), "mean": m.tolist(),
    "walker": walker_mean_stress_correction(m, a, gamma=0.65).tolist(),
    "swt": swt_mean_stress_correction(m, a).tolist(),
}

rough = []
names = {"Steel": "Steel", "GS": "CastSteel", "GJS": "NodularIron", "GJM": "MalleableIron", "GJL": "GreyIron",
         "Al_wrought": "WroughtAluminium", "Al_cast": "CastAluminium"}
for name, ours in names.items():
    constants = consts_fkm[name]
    for Rz in [6.3, 100.0]:
        Rm = 600.0
        one = [np.array([x]) for x in (Rm, Rz, 1.0, float(constants.aR_s), float(constants.RmNmin))]
        factor = extension.rough_factor(*one, np.array(["None"], dtype=object))
        one = [np.array([x]) for x in (Rm, float(constants.a_M), float(constants.b_M), 1.0)]
        sensitivity = extension.sm_sensitivity_chap4(*one)
        rough.append([ours, Rz, Rm, float(factor[0]), float(sensitivity[0])])

with open("crates/durability/tests/peers.json", "w", encoding="utf-8") as file:
    json.dump({
        "histories": [counted(history) for history in histories],
        "ranges": ranges, "counts": counts, "damages": damages,
        "amplitudes": amplitudes, "means": means, "fkm": fkm, "laws": laws, "rough": rough,
    }, file)
    file.write("\n")
