"""`separatrix plan`: the contract's JSON, in a moment and without torch; a config, a model, LaTeX, bad input."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from math import comb
from pathlib import Path
from typing import Any

import pytest

from separatrix.checker import check_file
from separatrix.cli import main
from tests.cli.calling import answer, refusal

ROW = {"architecture", "state_bits", "least_bits", "verdict", "gap", "built", "flops_per_token", "cites", "empirical"}
LLAMA = {
    "model_type": "llama", "dtype": "bfloat16", "hidden_size": 64, "num_hidden_layers": 2, "num_attention_heads": 4, "head_dim": 16,
    "num_key_value_heads": 1,
}  # fmt: skip
MAMBA = {
    "model_type": "mamba", "dtype": "float32", "hidden_size": 32, "num_hidden_layers": 2, "state_size": 16, "conv_kernel": 4, "expand": 2,
}  # fmt: skip


@pytest.fixture
def config(tmp_path: Path) -> Path:
    (tmp_path / "config.json").write_text(json.dumps(MAMBA), encoding="utf-8")
    return tmp_path / "config.json"


def test_an_engineer_with_4096_pairs_and_bfloat16_gets_an_answer(capsys: pytest.CaptureFixture[str]) -> None:
    document = answer(capsys, "plan", "mqar", "--length", "8192", "--precision", "bfloat16")
    assert (document["task"], document["length"], document["needed_bits"]) == ("mqar", 8192, 4107)  # 4095 labels, and 12 bits of a key
    rows = {row["architecture"]: row for row in document["rows"]}
    assert all(row.keys() >= ROW for row in rows.values())
    assert rows["gru"]["verdict"] == "provably not"  # 2 x 64 numbers of 16 bits
    assert (rows["gru"]["state_bits"], rows["gru"]["least_bits"]) == (2048, 4107)
    assert rows["mamba"]["verdict"] == "open"
    assert rows["mamba"]["gap"] == pytest.approx(77_824 / 4107)
    assert rows["transformer"]["verdict"].startswith("built in 2 layers of width ")  # not in the shape of the row
    assert "(declared; proven at N = " in rows["transformer"]["verdict"]  # no certificate has this size
    assert rows["transformer"]["next"] == "separatrix verify mqar --length 8192 --arithmetic bfloat16"
    assert rows["transformer"]["built"]["construction"] == "mqar"
    assert rows["lstm"]["empirical"]["per_state_bit"] < 1


def test_of_recall_at_8192_two_rows_are_open(capsys: pytest.CaptureFixture[str]) -> None:
    rows = answer(capsys, "plan", "mqar", "--length", "8192")["rows"]
    assert {row["architecture"] for row in rows if row["verdict"].startswith("open")} == {"dss", "retnet"}


def test_neither_torch_nor_transformers_is_imported() -> None:
    program = (
        "import sys; sys.modules['torch'] = sys.modules['transformers'] = None; from separatrix.cli import main; "
        "sys.exit(main(['plan', 'index-lookup', '--length', '100', '--json']))"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False, stdout=subprocess.DEVNULL).returncode == 0


def test_a_config_is_judged_by_the_bits_that_it_needs(capsys: pytest.CaptureFixture[str], config: Path) -> None:
    held = 2 * (64 * 3 + 64 * 16) * 4 * 8  # two layers of three columns and sixteen numbers in each of 64 channels
    short, long = (answer(capsys, "plan", "index-lookup", "--length", N, "--config", str(config)) for N in ("1000", "15000"))
    for document, verdict in ((short, "open"), (long, "provably not")):
        (row,) = document["rows"]
        assert (row["architecture"], row["state_bits"], row["verdict"]) == ("mamba", held, verdict)
        assert row["largest_length"] == held // 6
    config.write_text(json.dumps(LLAMA), encoding="utf-8")
    (row,) = answer(capsys, "plan", "index-lookup", "--length", "15000", "--config", str(config))["rows"]
    assert (row["state_bits"], row["largest_length"], row["verdict"]) == (2 * 2 * 16 * 15_000 * 16, None, "open")
    assert row["serves_at_least"] == 1 << 15


def test_a_model_of_ours_is_one_row_also_from_a_folder(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (row,) = answer(capsys, "plan", "index-lookup", "--length", "700", "--model", "lstm-1-64")["rows"]
    assert (row["size"], row["state_bits"], row["verdict"]) == ("lstm-1-64", 4096, "provably not")
    assert main(["build", "index-lookup/recurrent", "--length", "6", "--set", "symbols=2", "--out", str(tmp_path / "built")]) == 0
    capsys.readouterr()
    arguments = ["plan", "index-lookup", "--length", "6", "--set", "symbols=2", "--model", str(tmp_path / "built")]
    (row,) = answer(capsys, *arguments)["rows"]
    assert (row["state_bits"], row["least_bits"], row["gap"], row["verdict"]) == (6, 6, 1, "open")  # as many bits as needed may do


def test_the_certificate_of_the_bound_is_written_and_holds(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    document = answer(capsys, "plan", "equality", "--length", "100", "--out", str(tmp_path))
    assert document["rows"][0]["deterministic_only"]
    assert check_file(tmp_path / document["rows"][0]["certificate"]).holds


def test_the_table_names_its_sources_and_keeps_what_is_empirical_apart(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["plan", "index-lookup", "--length", "1000", "--accuracy", "0.9"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        "index-lookup, N = 1000 (symbols before the index), symbols = 64, distribution = evaluation, 1,001 tokens, numbers of 32 bits, "
        "accuracy 0.9 (right answers, one for each input)"
    )
    assert lines[1].startswith("must be carried past some token: 4,938 bits   (least bits whose ceiling reaches 0.9")
    assert "measured on trained models, not proven:" in lines


def test_the_table_is_printed_in_every_form(capsys: pytest.CaptureFixture[str]) -> None:
    rows = answer(capsys, "plan", "copy", "--length", "50")["rows"]
    assert len(rows) > 20
    assert main(["plan", "copy", "--length", "50", "--as", "latex"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert r"\begin{tabular}{lrrrlrrrrlll}" in lines
    assert sum(line.endswith(r"\\") for line in lines) == 1 + len(rows)
    assert main(["plan", "copy", "--length", "50", "--as", "csv"]) == 0
    table = list(csv.reader(capsys.readouterr().out.splitlines()))
    assert table[0][:2] == ["size", "state"]
    assert [row[0] for row in table[1:]] == [row["size"] for row in rows]


def test_bad_input_is_one_line(capsys: pytest.CaptureFixture[str], config: Path) -> None:
    config.write_text(json.dumps({"model_type": "llama", "hidden_size": 64}), encoding="utf-8")
    cases = {
        "num_hidden_layers is missing": ["index-lookup", "--length", "9", "--config", str(config)],
        "--precision with --config is one of": ["index-lookup", "--length", "9", "--config", str(config), "--precision", "fixed:9,3"],
        "accuracy must lie in (0, 1], found 1.5": ["index-lookup", "--length", "9", "--accuracy", "1.5"],
        "accuracy must lie in (0, 1], found nan": ["index-lookup", "--length", "9", "--accuracy", "nan"],
        "at least 1, found 0": ["index-lookup", "--length", "0"],
        "at most 10^12, found about 10^26": ["index-lookup", "--length", str(10**26)],
        "--budget is a number of bytes above 0, such as 64MB or 4GiB, found '64 potatoes'": [
            "index-lookup", "--length", "9", "--budget", "64 potatoes",
        ],
        "width divisible by 8": ["index-lookup", "--length", "9", "--width", "30"],
        "unknown task 'lokup'": ["lokup", "--length", "9"],
        "expected --json or --as latex, found both": ["copy", "--length", "9", "--as", "latex", "--json"],
    }  # fmt: skip
    for line, arguments in cases.items():
        assert line in refusal(capsys, "plan", *arguments)


def test_several_configs_stand_in_one_table_with_a_budget(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    places = []
    for name, document in (("llama", LLAMA), ("mamba", {**MAMBA, "dtype": "bfloat16"})):
        (tmp_path / f"{name}.json").write_text(json.dumps(document), encoding="utf-8")
        places += ["--config", str(tmp_path / f"{name}.json")]
    document = answer(capsys, "plan", "index-lookup", "--length", "15000", *places, "--precision", "8", "--budget", "1MB")
    rows = {row["architecture"]: row for row in document["rows"]}
    assert (document["precision"], document["budget"]) == (8, 10**6)
    assert rows["llama"]["state_bytes"] == 2 * 2 * 16 * 15000  # keys and values of one head in two layers, a byte each
    assert (rows["llama"]["fits"], rows["mamba"]["fits"]) == (True, True)
    assert rows["mamba"]["verdict"] == "provably not"
    assert [row["architecture"] for row in document["rows"]] == ["llama", "mamba"]  # what is refuted stands last
    small = answer(capsys, "plan", "index-lookup", "--length", "15000", *places, "--precision", "int8", "--budget", "0.5MB")
    assert {row["architecture"]: row["fits"] for row in small["rows"]} == {"llama": False, "mamba": True}


def test_one_layer_that_is_too_narrow_is_refuted_by_communication(capsys: pytest.CaptureFixture[str]) -> None:
    for task, length, cites in (("dyck", "4000", "bhattamishra2024 Theorem 5"), ("equality", "40000", "bhattamishra2024 Theorem 12")):
        (row,) = answer(capsys, "plan", task, "--length", length, "--model", "transformer-1-16", "--precision", "8")["rows"]
        assert (row["verdict"], row["strength"], row["cites"]) == ("provably not", "proven", cites)
        (two,) = answer(capsys, "plan", task, "--length", length, "--model", "transformer-2-16", "--precision", "8")["rows"]
        assert two["verdict"] == "open"  # the theorem is about one layer


def test_a_config_whose_windows_cannot_see_is_refuted_with_a_certificate(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    windows = {**LLAMA, "model_type": "mistral", "sliding_window": 16}
    (tmp_path / "config.json").write_text(json.dumps(windows), encoding="utf-8")
    arguments = ["plan", "parity", "--config", str(tmp_path), "--out", str(tmp_path / "out")]
    (row,) = answer(capsys, *arguments, "--length", "200")["rows"]
    assert row["verdict"] == "provably not"
    verdict = check_file(tmp_path / "out" / row["certificate"])
    assert verdict.holds
    assert "no model of two layers that sees 31 tokens in all" in verdict.claim
    (near,) = answer(capsys, *arguments, "--length", "30")["rows"]  # the first bit lies thirty back from the end, just in sight
    assert near["verdict"] == "open"
    (far,) = answer(capsys, *arguments, "--length", "31")["rows"]
    assert far["verdict"] == "provably not"


def test_four_thousand_pairs_somewhere_in_32k_tokens_can_be_stated(capsys: pytest.CaptureFixture[str]) -> None:
    pairs = ["--length", "4000", "--set", "filler=24767", "--set", "labels=256"]
    assert main(["plan", "associative-recall", *pairs, "--model", "lstm-2-64", "--model", "mamba2-2-64", "--precision", "int8"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == (
        "associative-recall, N = 4000 (key-value pairs), labels = 256, filler = 24767, 32,768 tokens, numbers of 8 bits, zero error"
    )
    # 3,999 labels of 8 bits, and 12 bits for the pending key of 4,000
    assert lines[1].startswith("must be carried past some token: 32,004 bits")
    lstm = next(line for line in lines if line.startswith("lstm"))
    assert "256 bytes" in lstm  # two layers, 64 cells and 64 outputs each, of one byte
    assert "provably not" in lstm
    assert lstm.endswith("(proven)")
    assert any("yes needs a width of at least" in line and "--set labels=256 --set filler=24767" in line for line in lines)
    asked = answer(capsys, "plan", "associative-recall", *pairs, "--set", "absent=true", "--model", "lstm-2-64")
    assert asked["needed_bits"] == (comb(8000, 4000) * 4000 * 256**3999 - 1).bit_length()  # which keys came, besides


def test_a_model_by_name_is_built_only_where_weights_fill_its_own_shape(capsys: pytest.CaptureFixture[str]) -> None:
    (row,) = answer(capsys, "plan", "mqar", "--length", "64", "--model", "mamba2-2-64")["rows"]
    assert row["verdict"].startswith("built")
    assert (row["built"]["construction"], row["built"]["layers"], row["built"]["width"]) == ("mqar/mamba2-2-64", 2, 64)
    (row,) = answer(capsys, "plan", "mqar", "--length", "16384", "--model", "mamba2-2-64")["rows"]  # more keys than that shape holds
    assert row["verdict"] == "open"
    assert row["why"].startswith("weights of this architecture are built in another shape (mqar/mamba2: 1 layer of width")


def test_sizes_of_the_table_contradict_a_model_of_its_own_size(capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--layers", "--width"):
        assert "a model has its own" in refusal(capsys, "plan", "parity", "--length", "8", "--model", "lstm-1-16", option, "8")


def rows_by_name(capsys: pytest.CaptureFixture[str], *asked: str) -> dict[str, Any]:
    return {row["architecture"]: row for row in answer(capsys, "plan", *asked)["rows"]}


def test_no_row_is_open_beside_weights_of_its_own_mixer(capsys: pytest.CaptureFixture[str]) -> None:
    """The ledger calls them recurrent; a plan has rows for relu-rnn and selective-rnn."""
    for name, length, kind in (("dyck", "40", "relu-rnn"), ("index-lookup", "100", "selective-rnn")):
        row = rows_by_name(capsys, name, "--length", length)[kind]
        assert row["verdict"].startswith("built"), row
        assert row["built"]["task"] == name


def test_a_declared_row_says_what_its_nearest_certificate_differs_in(capsys: pytest.CaptureFixture[str]) -> None:
    rows = rows_by_name(capsys, "dyck", "--length", "40")
    assert rows["elman"]["verdict"].endswith("(declared; proven at N = 40, float64)")
    assert rows["mamba"]["verdict"].endswith("(declared; proven at N = 40, other parameters)")  # of the language (ab)*
    assert rows_by_name(capsys, "dyck", "--length", "42")["elman"]["verdict"].endswith("(declared; proven at N = 40)")


def test_the_next_command_of_a_blind_window_writes_the_certificate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = rows_by_name(capsys, "parity", "--length", "200")["window"]["next"].removesuffix(" (the certificate of two inputs)")
    monkeypatch.chdir(tmp_path)
    assert main(command.split()[1:]) == 0
    (written,) = tmp_path.glob("pair/receptive-field-*.json")
    verdict = check_file(written)
    assert verdict.holds
    assert "no model" in verdict.claim
