"""The examples of docs/python.md run, in order, in the folder that `pliant new` makes."""

import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

from conftest import ROOT

# What each example prints, in part.
EXPECTED = [
    r"^m \('time', 'xyz'\)$",
    r"<pliant.Result 'Two-link arm, 2 kg payload': nonlinear; arm.vtkhdf> \['elbow', 'shoulder'\]",
    r"^2\.0$",
    r"^payload.mass",
    r"unknown key `mas` -- did you mean `mass`\?|error .*`payload",
    r"rad$",
    r"\(35, 35\) \['elbow\.1'",
    r"m/N$",
    r'^title = "Pendulum"$',
    r"points at 0\.[0-9]+ s",
]


def examples() -> list[str]:
    page = (ROOT / "docs/python.md").read_text()
    return re.findall(r"```python\n(.*?)```", page, re.DOTALL)


def test_the_examples_of_the_page_run(capsys: pytest.CaptureFixture[str], in_a_copy: Path) -> None:
    Path("whole.toml").replace("machine.toml")
    found = examples()
    assert len(found) == len(EXPECTED)
    names: dict[str, object] = {}
    for code, expected in zip(found, EXPECTED):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            exec(compile(code, "docs/python.md", "exec"), names)
        printed = capsys.readouterr().out
        assert re.search(expected, printed, re.MULTILINE), f"{code}\n{printed}"
        assert not [one for one in caught if one.category.__name__ == "PliantWarning"], (code, [str(one.message) for one in caught])


def test_the_example_runs(in_a_copy: Path) -> None:
    example = ROOT / "python/examples/payload.py"
    done = subprocess.run([sys.executable, example, "machine.toml"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert "4.0 kg:" in done.stdout and "did you mean `mass`?" in done.stdout
