"""How many lines one certificate needs, of every kind and by every rule: docs/trust.md says it, and names those above the goal."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from separatrix.certificates.verify import verify
from separatrix.checker import KINDS
from separatrix.checker.__main__ import main
from separatrix.checker.replay import RULES
from separatrix.constructions import build
from tests.checker.kinds.programs import honest
from tests.checker.kinds.witnesses import depth_reduction

ROOT = Path(__file__).parents[2]
GOAL = 2000
NEAR = 0.05  # the page is right to 5 %
STATED = r"^\| ([a-z -]+) \| ([\d,]+) \|$"
JUDGED = """
import json, os, sys
import numpy
for name, file in json.loads(sys.argv[1]).items():
    sys.stdout.flush()
    if os.fork() == 0:  # a process of its own, which has loaded nothing of the checker
        from separatrix.checker.__main__ import main
        print("==", name)
        code = main(["--lines", file])
        sys.stdout.flush()
        os._exit(code)
    if os.wait()[1]:
        sys.exit(f"{name} does not hold")
"""


def certificates(folder: Path) -> dict[str, Path]:
    """One that holds, for every kind and every rule."""
    found: dict[str, Path] = {}
    for file in sorted((ROOT / "tests" / "vectors" / "documents").glob("*-honest-*.json")):
        document = json.loads(file.read_text())
        proof = document.get("proof") if document["kind"] == "program" else None
        found.setdefault("tested" if document["kind"] == "program" and not proof else proof["rule"] if proof else document["kind"], file)
    built = {"stacks": build("dyck-2/recurrent", length=6), "envelope": build("index-lookup/linear-attention", length=4)}
    for name, document in {**{rule: verify(each).document for rule, each in built.items()}, "depth-reduction": depth_reduction()}.items():
        found[name] = folder / f"{name}.json"  # of these there is no vector
        found[name].write_text(json.dumps(document))
    return found


@pytest.fixture(scope="module")
def counted(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, int]]:
    """For each of them the lines that its check loads, by part, and in all."""
    files = {name: str(file) for name, file in certificates(tmp_path_factory.mktemp("lines")).items()}
    said = subprocess.run([sys.executable, "-c", JUDGED, json.dumps(files)], capture_output=True, text=True, check=True, cwd=ROOT).stdout
    counts: dict[str, dict[str, int]] = {}
    for part in re.split("^== ", said, flags=re.MULTILINE)[1:]:
        name, _, rest = part.partition("\n")
        counts[name] = {m[2]: int(m[1].replace(",", "")) for m in re.finditer(r"^ *([\d,]+)  ([a-z ,]+?)(?::.*)?$", rest, re.MULTILINE)}
    return counts


def test_the_page_has_the_lines_of_one_certificate_of_every_kind_and_rule(counted: dict[str, dict[str, int]]) -> None:
    assert {*counted} == {*RULES, *KINDS, "tested"} - {"program"}
    page = (ROOT / "docs" / "trust.md").read_text()
    stated = {name: int(lines.replace(",", "")) for name, lines in re.findall(STATED, page, re.MULTILINE)}
    assert {*stated} == {*counted}
    for name, parts in counted.items():
        total = parts.pop("lines of code in all")
        assert sum(parts.values()) == total
        assert abs(stated[name] - total) <= NEAR * total, (name, total)
        assert (stated[name] > GOAL) == (total > GOAL), (name, total)


def test_a_certificate_loads_its_own_rule_and_mixer_and_no_other(counted: dict[str, dict[str, int]]) -> None:
    for name in ("fooling-set", "state-profile", "period", "receptive-field"):
        assert not counted[name]["rules of proofs"] + counted[name]["mixers"], name
    assert max(parts["mixers"] for parts in counted.values()) < 250
    assert max(parts["rules of proofs"] for parts in counted.values()) < 700


def test_a_counterexample_has_no_strength_for_what_it_refutes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "wrong.json"
    file.write_text(next((ROOT / "tests" / "vectors" / "documents").glob("counterexample-honest-*.json")).read_text())
    assert main([str(file)]) == 0
    for required in ("proven", "exhaustive", "tested"):
        capsys.readouterr()
        assert main(["--require", required, str(file)]) == 1
        said = capsys.readouterr().out
        assert said.startswith(f"REFUTES   {file}\n")
        assert "wrong on an input" in said  # the counterexample is printed
    assert main(["--json", "--require", "proven", str(file)]) == 1
    (row,) = json.loads(capsys.readouterr().out)["results"]
    assert row["holds"] is True
    assert row["reason"] == "shows less than required: the weights are wrong, not proven"


def test_lines_of_several_files_are_not_told_apart(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "good.json"
    file.write_text(json.dumps(honest("cases")))
    with pytest.raises(SystemExit) as left:
        main(["--lines", str(file), str(file)])
    assert left.value.code == 2
    assert "expected one certificate FILE" in capsys.readouterr().err
