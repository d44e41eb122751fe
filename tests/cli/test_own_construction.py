"""A construction of one's own, in a file outside the package, for a task that the checker knows: verified, written, checked."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from separatrix.cli import main

MINE = '''
"""Index lookup without a feed-forward part: one-hot symbols are read, and the heaviest wins."""

import numpy as np

from separatrix.arithmetic import parse_format
from separatrix.constructions.assembler import Assembler
from separatrix.constructions.parts.addresses import lookup
from separatrix.tasks import make_task


def heaviest(length, symbols=4, arithmetic="float64", gain=1.0):
    T = lookup("binary", length, parse_format(arithmetic))
    net = Assembler(plain=symbols, numbers=length, targets=symbols, length=length + 1, arithmetic=arithmetic)
    symbol = net.token("symbol", np.eye(symbols))
    index = net.number("index", T.weights, T.query_weight())
    place = net.place("place", T.weights, gate=np.append(np.ones(symbols), 0.0))
    z = net.layer().attend(
        "lookup", query=gain * T.query(index), key=T.key(place), value=symbol, into="symbol", share=T.share
    )
    net.read_out(np.eye(symbols), z, np.zeros(symbols))
    return net.compile(make_task("index-lookup", length=length, symbols=symbols), "heaviest", "", {}, {})


def blunt(length, symbols=4, arithmetic="float64"):
    """Asks so softly that every place is read."""
    return heaviest(length, symbols, arithmetic, gain=2.0**-20)
'''


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    path = tmp_path / "mine.py"
    path.write_text(MINE)
    return path


def verified(mine: Path, name: str, folder: Path, *more: str) -> tuple[int, Path]:
    code = main(["verify", f"{mine}:{name}", "--length", "16", "--out", str(folder), *more])
    (certificate,) = (folder / "certificates").iterdir()
    return code, certificate


def checked(capsys: pytest.CaptureFixture[str], certificate: Path, *more: str) -> tuple[int, dict[str, Any]]:
    capsys.readouterr()
    code = main(["check", str(certificate), "--json", *more])
    (row,) = json.loads(capsys.readouterr().out)["results"]
    return code, row


@pytest.mark.parametrize("arithmetic", ["float64", "fixed:14,6"])
def test_it_is_verified_and_checked_like_one_of_the_package(
    capsys: pytest.CaptureFixture[str], mine: Path, tmp_path: Path, arithmetic: str
) -> None:
    code, certificate = verified(mine, "heaviest", tmp_path / "out", "--arithmetic", arithmetic)
    assert code == 0
    document = json.loads(certificate.read_text())
    assert (document["kind"], document["strength"], document["cites"]) == ("program", "proven", "")
    assert document["tests"] == []  # a proof needs none
    mine.unlink()  # the certificate stands alone
    moved = Path(shutil.move(certificate, tmp_path / "elsewhere.json"))
    code, row = checked(capsys, moved, "--require", "proven")
    assert code == 0, row["reason"]
    assert row["claim"].startswith("index lookup, N = 16, 4 symbols: right on every input, ")
    assert row["claim"].endswith(f"; one layer, one head, width 12, {arithmetic}")
    assert "heaviest" not in json.dumps(row)
    assert bool([entry for entry in row["evidence"] if entry["kind"] == "lemma"]) == (arithmetic == "float64")


def test_all_inputs_are_run_where_they_are_few(capsys: pytest.CaptureFixture[str], mine: Path, tmp_path: Path) -> None:
    assert main(["verify", f"{mine}:heaviest", "--length", "3", "--set", "symbols=2", "--out", str(tmp_path / "out")]) == 0
    (certificate,) = (tmp_path / "out" / "certificates").iterdir()
    code, row = checked(capsys, certificate, "--require", "exhaustive")
    assert (code, row["strength"]) == (0, "proven"), row["reason"]


def test_a_wrong_one_is_refuted_with_a_counterexample_that_holds(capsys: pytest.CaptureFixture[str], mine: Path, tmp_path: Path) -> None:
    code, certificate = verified(mine, "blunt", tmp_path / "out")
    assert code == 1
    assert json.loads(certificate.read_text())["kind"] == "counterexample"
    code, row = checked(capsys, certificate)
    assert (code, row["strength"]) == (0, "proven"), row["reason"]
    assert row["claim"].startswith("index lookup, N = 16, 4 symbols: wrong on an input of 17 tokens")
