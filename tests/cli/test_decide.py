from __future__ import annotations

import gzip
import json
from pathlib import Path

from click.testing import CliRunner

from separatrix.cli.check import check
from separatrix.cli.decide import decide


def test_one_row_as_json() -> None:
    result = CliRunner().invoke(decide, ["(aa)*", "--architecture", "mamba", "--json"])
    report = json.loads(result.stdout)
    assert report["states"] == 2
    assert set(report["rows"][0]) >= {"architecture", "arithmetic", "form", "verdict", "lengths", "layers", "width", "certificate", "cites"}
    assert report["rows"][0]["verdict"] == "impossible at all lengths"


def test_all_languages_of_two_states_are_one_compressed_file(tmp_path: Path) -> None:
    result = CliRunner().invoke(decide, ["--all", "--states", "2", "--out", str(tmp_path), "--json"])
    document = json.loads(result.stdout)
    assert document["counts"]["languages"] == 26
    lines = gzip.decompress(Path(document["file"]).read_bytes()).decode().splitlines()
    assert sum("moves" in json.loads(line) for line in lines) == 26
    assert document["claim"].startswith("of the 26 regular languages over two letters with at most 2 states, Mamba (float64, token by")
    checked = CliRunner().invoke(check, [document["file"]], standalone_mode=False)
    assert checked.return_value == 0
    assert document["claim"] in checked.output


def test_a_folder_of_automata(tmp_path: Path) -> None:
    (tmp_path / "ab.att").write_text("0 1 a\n1 0 b\n0\n")
    (tmp_path / "even.att").write_text("0 1 a\n1 0 a\n0\n")
    result = CliRunner().invoke(decide, ["--mlregtest", str(tmp_path), "--json"])
    assert json.loads(result.stdout)["counts"] == {"star-free": 1, "counts modulo 2": 1}


def test_integers_that_wrap_around_count_parity_and_no_number_does_modulo_3() -> None:
    assert (
        "1 bit of state count it at all lengths (0 adds 0, 1 adds 1)"
        in CliRunner().invoke(decide, ["@parity", "--architecture", "dss"]).output
    )
    assert "wrap around" not in CliRunner().invoke(decide, ["@mod-3", "--architecture", "dss"]).output


def test_a_reason_is_printed_once_for_all_rows_that_share_it() -> None:
    lines = CliRunner().invoke(decide, ["(aa)*"], env={"COLUMNS": ""}).output.splitlines()
    (shared,) = [line for line in lines if "it counts a word modulo 2" in line]
    assert shared.split(":")[0].strip() == "mamba, mamba2, linear-attention, selective-rnn-positive"
    assert any(line.startswith("    mamba2: S <- exp(dt a) S") for line in lines)
    assert lines.index("why:") > next(number for number, line in enumerate(lines) if line.startswith("---"))
    narrow = CliRunner().invoke(decide, ["(aa)*"], env={"COLUMNS": "100"}).output.splitlines()
    assert max(map(len, narrow)) <= 100


def test_lines_for_people() -> None:
    result = CliRunner().invoke(decide, ["(aa)*", "--architecture", "window"])
    assert "it counts 'a' modulo 2" in result.output
    assert "window" in result.output


def test_the_horizon_of_a_rotation() -> None:
    result = CliRunner().invoke(decide, ["--horizon", "9", "--arithmetic", "bfloat16", "--json"])
    (one,) = json.loads(result.stdout)["horizons"]
    assert (one["modulus"], one["arithmetic"], one["ends"]) == (9, "bfloat16", True)
    assert "wrong after" in CliRunner().invoke(decide, ["--horizon", "9", "--arithmetic", "bfloat16"]).output
    assert "right at all lengths" in CliRunner().invoke(decide, ["--horizon", "3"]).output
