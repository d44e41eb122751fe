"""separatrix state: one JSON document, a table for people, exit codes, and no torch where a formula answers."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest

from separatrix.cli import main
from tests.cli.calling import answer, refusal

LLAMA = {"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 3, "num_attention_heads": 4, "num_key_value_heads": 2}
HYBRID = {
    "model_type": "qwen3_next", "hidden_size": 64, "num_hidden_layers": 4, "num_attention_heads": 4, "num_key_value_heads": 2,
    "head_dim": 16, "linear_num_key_heads": 2, "linear_num_value_heads": 4, "linear_key_head_dim": 8, "linear_value_head_dim": 8,
    "linear_conv_kernel_dim": 4,
}  # fmt: skip


@pytest.fixture
def llama(tmp_path: Path) -> str:
    (tmp_path / "config.json").write_text(json.dumps(LLAMA))
    return str(tmp_path / "config.json")


def test_the_document_has_the_promised_fields_in_bytes(llama: str, capsys: pytest.CaptureFixture[str]) -> None:
    document = answer(capsys, "state", llama, "--length", "10", "--dtype", "bfloat16")
    assert list(document) == ["engine", "dtype", "length", "held", "needed", "allocated", "layers"]
    assert document["engine"].startswith("transformers 5.")
    assert (document["dtype"], document["length"]) == ("bfloat16", 10)
    assert document["held"] == document["needed"] == document["allocated"] == 3 * 2 * 2 * 16 * 10 * 2
    assert [list(layer) for layer in document["layers"]] == [["index", "kind", "held", "needed", "formula"]] * 3
    assert [layer["index"] for layer in document["layers"]] == [0, 1, 2]
    formula = "2 * num_key_value_heads * (hidden_size // num_attention_heads) * N * b = 2 * 2 * (64 // 4) * 10 * 2"
    assert document["layers"][0]["formula"] == formula


def test_a_folder_with_a_config_and_a_batch(llama: str, capsys: pytest.CaptureFixture[str]) -> None:
    one = answer(capsys, "state", str(Path(llama).parent), "--length", "10")
    four = answer(capsys, "state", llama, "--length", "10", "--batch", "4")
    assert four["held"] == 4 * one["held"]
    assert four["layers"][1]["held"] == 4 * one["layers"][1]["held"]
    assert four["layers"][1]["formula"].startswith("batch * 2 * num_key_value_heads")


def test_the_table_groups_equal_layers(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "config.json").write_text(json.dumps(HYBRID))
    assert main(["state", str(tmp_path), "--length", "100", "--dtype", "bfloat16"]) == 0
    text = capsys.readouterr().out
    rows = [line.split() for line in text.splitlines()]
    assert ["0-2", "(3)", "conv", "+", "delta", "1,536", "1,408", "4,608"] in rows  # 64 * 4 * 2 + 4 * 8 * 8 * 4 bytes; 64 * 3 * 2 + ...
    assert ["3", "full", "12,800", "12,800", "12,800"] in rows
    assert "needed: (2 * linear_num_key_heads * linear_key_head_dim" in text
    assert "note: layer_types is absent: by the class's period of 4" in text


def test_a_formula_answers_within_a_second_and_without_torch_or_transformers(llama: str) -> None:
    script = (
        "import sys; from separatrix.cli import main; code = main(sys.argv[1:]);"
        "print(sorted({'torch', 'transformers', 'huggingface_hub', 'numpy'} & set(sys.modules)), file=sys.stderr); sys.exit(code)"
    )
    times = []
    for _ in range(3):  # the best of three: the machine may be busy
        start = time.perf_counter()
        done = subprocess.run(
            [sys.executable, "-c", script, "state", llama, "--length", "1000", "--json"], capture_output=True, text=True, check=True
        )
        times.append(time.perf_counter() - start)
        assert done.stderr.strip() == "[]"
        assert json.loads(done.stdout)["held"] > 0
    assert min(times) < 1


@pytest.mark.parametrize(
    ("name", "length", "dtype", "held"),
    [
        ("lstm-2-64", 100, "float32", 2 * 2 * 64 * 4),  # two vectors in each of two layers
        ("lstm-2-64", 100, "bfloat16", 2 * 2 * 64 * 2),
        ("tf-1-32", 10, "float32", 10 * 2 * 32 * 4),  # keys and values of every token
    ],
)
def test_models_of_ours_carry_what_they_say(name: str, length: int, dtype: str, held: int, capsys: pytest.CaptureFixture[str]) -> None:
    document = answer(capsys, "state", name, "--length", str(length), "--dtype", dtype)
    assert document["held"] == document["needed"] == held
    assert document["engine"].startswith("separatrix ")


def test_a_built_folder_is_a_model(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["build", "index-lookup/recurrent", "--length", "8", "--out", str(tmp_path / "built")]) == 0
    capsys.readouterr()
    assert answer(capsys, "state", str(tmp_path / "built"), "--length", "8")["held"] > 0


@pytest.mark.filterwarnings("ignore")
def test_measuring_agrees_with_the_formula(llama: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["state", llama, "--length", "10", "--dtype", "bfloat16", "--measure"]) == 0
    assert "the formula agrees: 3,840 bytes" in capsys.readouterr().out


@pytest.mark.filterwarnings("ignore")
def test_a_formula_that_measuring_contradicts_is_exit_code_1(
    llama: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from separatrix.state import from_config
    from separatrix.state.family import Counted

    right = from_config.FAMILIES["llama"]
    monkeypatch.setitem(from_config.FAMILIES, "llama", lambda fields, cut: Counted(right(fields, cut).layers[1:]))
    assert answer(capsys, "state", llama, "--length", "10", "--dtype", "bfloat16", "--measure", code=1)["held"] == 3840
    assert main(["state", llama, "--length", "10", "--dtype", "bfloat16", "--measure"]) == 1
    assert "measured 3,840 bytes" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["missing.json", "--length", "5"], "no such config: 'missing.json'"),
        (["nothing-here", "--length", "5"], "unknown model 'nothing-here'"),
        (["CONFIG", "--length", "0"], "state: length N must be at least 1, found 0"),
        (["CONFIG", "--length", "many"], "'many' is not a valid integer"),
        (["CONFIG", "--length", "5", "--dtype", "int4"], "unknown dtype 'int4': expected float64 float32 bfloat16 float16"),
        (["CONFIG", "--length", "5", "--batch", "0"], "batch must be an integer of at least 1, found 0"),
        (["lstm-2-64", "--length", "5", "--measure"], "--measure expects a Hugging Face config"),
        (["lstm-2-64", "--length", "-1"], "state: length N must be at least 1, found -1"),
        (["lstm-2-64", "--length", "1" + 26 * "0"], "state: length N must be at most 10^12, found about 10^26"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(arguments: list[str], line: str, llama: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert line in refusal(capsys, "state", *(llama if word == "CONFIG" else word for word in arguments))


def test_an_empty_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "holds no model: expected config.json" in refusal(capsys, "state", str(tmp_path), "--length", "5")


def test_a_config_without_a_needed_field_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "config.json").write_text(json.dumps({"model_type": "llama", "hidden_size": 64}))
    assert "llama config: num_hidden_layers is missing" in refusal(capsys, "state", str(tmp_path), "--length", "5")


@pytest.mark.parametrize("dtype", ["int8", "float8"])
def test_a_model_of_ours_is_counted_in_bytes_too(capsys: pytest.CaptureFixture[str], dtype: str) -> None:
    whole, byte = (answer(capsys, "state", "lstm-2-64", "--length", "9", "--dtype", kind)["held"] for kind in ("float32", dtype))
    assert (whole, byte) == (2 * 2 * 64 * 4, 2 * 2 * 64)  # two layers of cells and outputs
