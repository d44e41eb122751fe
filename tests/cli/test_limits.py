"""Profiles, bounds and ceilings on the command line: at any size one short answer or one short line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from separatrix.cli import main
from separatrix.constructions import build
from tests.cli.calling import answer, refusal


def lines(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[str]:
    assert main(list(arguments)) == 0
    return capsys.readouterr().out.splitlines()


@pytest.mark.parametrize(
    ("arguments", "digits"),
    [
        (["ceiling", "intersects", "--length", "20000", "--state-bits", "2048"], 6021),  # 2^20000
        (["ceiling", "dyck", "--length", "20000", "--state-bits", "9"], 12041),
        (["ceiling", "dyck", "--length", "20000", "--accuracy", "0.9"], 12041),
        (["profile", "dyck-2", "--length", "20000"], 12041),
        (["profile", "k-dnf", "--length", "30000"], 9031),
    ],
)
def test_what_is_too_large_to_count_is_refused_with_a_power_of_ten(
    capsys: pytest.CaptureFixture[str], arguments: list[str], digits: int
) -> None:
    line = refusal(capsys, *arguments)
    assert f"about 10^{digits} inputs to count" in line
    assert len(line) < 160


@pytest.mark.parametrize(
    ("arguments", "bits"),
    [
        (["associative-recall", "--length", "4096", "--set", "labels=256"], "32772..40935"),
        (["index-lookup", "--length", "2400"], "14400"),
        (["mqar", "--length", "4096"], "2058..4106"),  # 4096 keys, and half of the 2^4095 sets of the others
    ],
)
def test_large_profiles_are_short_to_read(capsys: pytest.CaptureFixture[str], arguments: list[str], bits: str) -> None:
    shown = lines(capsys, "profile", *arguments)
    assert shown[-1].startswith(f"bits of state: {bits}   (closed form")
    assert max(map(len, shown)) < 200


def test_the_json_of_a_large_profile_has_logarithms_instead_of_giant_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", "mqar", "--length", "4096", "--json"]) == 0
    text = capsys.readouterr().out
    document = json.loads(text)
    assert len(text) < 200_000
    assert document["classes"] is document["classes_lower"] is document["classes_upper"] is None
    assert len(document["log2_classes_lower"]) == len(document["log2_classes_upper"]) == 2 * 4096
    assert max(document["log2_classes_lower"]) == 2058  # log2(2048 x 2^2047)
    small = answer(capsys, "profile", "index-lookup", "--length", "100")
    assert small["classes"][100] == 64**100  # the counts themselves, as long as they are short in all
    assert small["log2_classes_lower"][100] == 600


def test_bits_that_are_needed_and_bits_that_suffice_are_printed_apart(capsys: pytest.CaptureFixture[str]) -> None:
    # two pairs with three possible keys: 4 states are needed by the count, 6 suffice
    arguments = ("profile", "associative-recall", "--length", "2", "--set", "symbols=3")
    assert lines(capsys, *arguments)[-1].startswith("bits of state: 2..3   (counted")
    document = answer(capsys, *arguments)
    assert (document["bits"], document["bits_upper"]) == (2, 3)
    assert lines(capsys, "profile", "equality", "--length", "4")[-1].startswith("bits of state: 2   (counted")


def bound_rows(capsys: pytest.CaptureFixture[str], *arguments: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = answer(capsys, "bounds", *arguments)["bounds"]
    return rows


@pytest.mark.parametrize("length", [64, 512])
def test_the_width_that_bounds_calls_built_is_the_width_of_the_build(capsys: pytest.CaptureFixture[str], length: int) -> None:
    for task in ("mqar", "associative-recall"):
        (row,) = [r for r in bound_rows(capsys, task, "--length", str(length)) if r["architecture"] == "two-layer Transformer"]
        assert row["arithmetic"] == "float32"
        assert row["built"] == build(row["construction"], length=length, arithmetic="float32", **row["settings"]).sizes()["width"]


def test_what_is_built_for_bounded_dyck_stands_beside_its_bound(capsys: pytest.CaptureFixture[str]) -> None:
    rows = bound_rows(capsys, "dyck", "--length", "40")
    beside = [(row["value"], row["built"], row["construction"]) for row in rows if row["quantity"] == "width, one head"]
    assert beside == [(1, 40, "dyck/one-layer")]


def test_the_column_built_leaves_out_what_the_format_refuses(capsys: pytest.CaptureFixture[str]) -> None:
    def built(precision: str) -> set[str]:
        return {row["construction"] for row in bound_rows(capsys, "equality", "--length", "64", "--precision", precision)} - {None}

    cells = {"equality/elman", "equality/gru", "equality/lstm"}
    assert built("float64") >= {"equality/recurrent", "equality", *cells}
    assert "equality/one-layer" not in built("float64")
    assert built("bfloat16") == {"equality/recurrent", "equality/linear-rnn", "equality/hard-attention"}  # which count nothing
    assert built("fixed:33,6") >= {"equality/recurrent", "equality/one-layer", "equality"}
    assert built("64") == {*built("float64"), "equality/one-layer"}  # in any format of at most 64 bits


def test_the_bounds_of_a_users_function_are_counted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "first.py").write_text("def first(word):\n    return word[0] == word[-1]\n")
    rows = bound_rows(capsys, "function", "--length", "6", "--set", f"function={tmp_path}/first.py:first", "--precision", "1")
    assert [(row["architecture"], row["quantity"], row["value"]) for row in rows] == [
        ("recurrent", "state bits", 1),
        ("recurrent", "width", 1),
        ("one-layer Transformer", "width, one head", 1),
        ("one-layer Transformer", "width x heads", 1),
    ]
    assert all("counted" in row["witness"]["proof"] for row in rows)


def test_rows_with_equal_labels_are_told_apart_by_their_formula(capsys: pytest.CaptureFixture[str]) -> None:
    shown = [line for line in lines(capsys, "bounds", "mqar", "--length", "64") if line.startswith("recurrent  ") and "width" in line]
    assert len(shown) == 2
    assert shown[0].endswith("ceil(state bits / p)")
    assert shown[1].endswith("ceil(N / 2p), as printed")


def test_bounds_write_certificates_that_check_accepts(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    out = tmp_path / "certificates"
    for task, length in (("index-lookup", 1000), ("dyck", 400), ("mqar", 64)):
        rows = bound_rows(capsys, task, "--length", str(length), "--out", str(out))
        named = {row["certificate"] for row in rows} - {None}
        assert named
        assert all((out / name).is_file() for name in named)
    files = sorted(map(str, out.iterdir()))
    assert [Path(file).name for file in files] == [
        "fooling-set-dyck-6.json",
        "state-profile-associative-recall-2.json",
        "state-profile-dyck-6.json",
        "state-profile-index-lookup-3.json",
    ]
    assert all(result["holds"] for result in answer(capsys, "check", *files)["results"])


def test_without_a_folder_nothing_is_certified(capsys: pytest.CaptureFixture[str]) -> None:
    assert {row["certificate"] for row in bound_rows(capsys, "equality", "--length", "40")} == {None}


def test_a_task_without_bounds_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    said = "parity-next, N = 100: no bound on record, and too many inputs to count"
    assert lines(capsys, "bounds", "parity-next", "--length", "100")[0] == said
    assert bound_rows(capsys, "parity-next", "--length", "100") == []


@pytest.mark.parametrize("command", ["profile", "bounds", "ceiling"])
def test_the_help_says_what_the_length_counts(capsys: pytest.CaptureFixture[str], command: str) -> None:
    assert main([command, "--help"]) == 0
    assert "MQAR: 2 x pairs" in " ".join(capsys.readouterr().out.split())


def test_the_answer_says_what_the_length_counts(capsys: pytest.CaptureFixture[str]) -> None:
    assert lines(capsys, "bounds", "mqar", "--length", "8")[0] == "mqar, N = 8 (2 x pairs), labels = 2, numbers of 32 bits"
    s3 = lines(capsys, "bounds", "regular", "--length", "8", "--set", "language=@s3")[0]
    assert s3 == "regular, N = 8 (symbols), language = @s3, negatives = uniform, numbers of 32 bits"
    assert lines(capsys, "profile", "associative-recall", "--length", "2")[0] == "associative-recall, N = 2 (key-value pairs)"


def test_a_precision_that_is_none_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert "precision must be at least 1 bit, found 0" in refusal(capsys, "bounds", "parity", "--length", "4", "--precision", "0")
    assert "unknown arithmetic 'wide'" in refusal(capsys, "bounds", "parity", "--length", "4", "--precision", "wide")


def test_ceilings_answer_both_ways_round(capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(capsys, "ceiling", "parity", "--length", "6", "--state-bits", "0")["accuracy"] == 0.5
    document = answer(capsys, "ceiling", "index-lookup", "--length", "100", "--accuracy", "0.9")
    assert document["bits"] == 497
    assert lines(capsys, "ceiling", "equality", "--length", "20", "--state-bits", "10")[0].startswith(
        "with 10 bits of state: accuracy at most 1; 1 is attained   (exact"
    )
    assert "ceiling expects either --state-bits or --accuracy" in refusal(capsys, "ceiling", "parity", "--length", "6")
