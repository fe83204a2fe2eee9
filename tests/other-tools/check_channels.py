"""Channels for fatigue programs as rpc-reader and numpy see them. Usage: check_channels.py RESULTS FILE.rsp FILE.csv"""

import pathlib
import subprocess
import sys

import h5py
import numpy as np

results, rsp, table = sys.argv[1:]
with h5py.File(results) as file:
    time = file["time"][:]
    expected = {}
    for link in file["links"]:
        for element, group in file.get(f"links/{link}/elements", {}).items():
            for label, values in zip(group["stress_component"].asstr()[:], group["stress"][:].T):
                # Of bars the stress at their points, not the forces at their ends.
                if label.rsplit(".")[-1] in "CDEF" or "." in label and label.rsplit(".")[-1] in ("xx", "yy", "xy"):
                    expected[f"{link} element {element} {label}"] = 1e-6 * values
        for gauge, values in file.get(f"links/{link}/gauges", {}).items():
            expected[f"{link} gauge {gauge}"] = values[:]

# The program as users run it: it leaves FILE.npz.
subprocess.run([sys.executable, "-m", "rpc_reader.rpc_reader", rsp], check=True, capture_output=True)
read = np.load(pathlib.Path(rsp).with_suffix(".npz"), allow_pickle=True)
data, channels, headers = read["data"], read["channels"].item(), read["headers"].item()
names = [channels[k]["Description"] for k in sorted(channels)]
assert sorted(names) == sorted(expected), (names, sorted(expected))
assert abs(headers["DELTA_T"] / (time[1] - time[0]) - 1) < 1e-8
for k, name in enumerate(names):
    values = expected[name]
    scale = np.abs(values).max()
    assert channels[k]["Units"] == ("strain" if "gauge" in name else "MPa")
    assert np.abs(data[: len(time), k] - values).max() <= 1e-7 * scale, name
    # The last value fills the last frame.
    assert (data[len(time) :, k] == data[len(time) - 1, k]).all()
    assert float(channels[k]["LowerLimit"]) <= data[:, k].min() and data[:, k].max() <= float(channels[k]["UpperLimit"])

lines = pathlib.Path(table).read_text().splitlines()
heads = lines[1].split(",")
columns = np.loadtxt(lines[2:], delimiter=",")
assert heads[0] == "time [s]" and (columns[:, 0] == time).all()
for head, column in zip(heads[1:], columns[:, 1:].T):
    np.testing.assert_allclose(column, expected[head.rsplit(" [")[0]], rtol=1e-15)
print(f"{len(names)} channels are there")
