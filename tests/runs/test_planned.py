"""What a token costs a Hugging Face config, against products counted by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from separatrix.errors import BadInput
from separatrix.runs.planned import measured_costs
from tests.cli.calling import answer, refusal

pytest.importorskip("transformers")

D, LAYERS, HEADS, KEYS, HEAD, HIDDEN, IDS = 24, 2, 4, 2, 8, 20, 30
SIZES = {
    "hidden_size": D, "num_hidden_layers": LAYERS, "num_attention_heads": HEADS, "num_key_value_heads": KEYS, "head_dim": HEAD,
    "intermediate_size": HIDDEN, "vocab_size": IDS, "dtype": "float32",
}  # fmt: skip
LLAMA = {"model_type": "llama", **SIZES}
MISTRAL = {"model_type": "mistral", **SIZES, "sliding_window": 5}
MIXTRAL = {"model_type": "mixtral", **SIZES, "num_local_experts": 4, "num_experts_per_tok": 2, "sliding_window": None}
PROJECTIONS = D * HEADS * HEAD * 2 + D * KEYS * HEAD * 2  # queries and output, keys and values
EXPERT = 3 * D * HIDDEN


def by_hand(per_layer: int, seen: int) -> int:
    """Twice the weights of all products; a score and a sum over each token that is seen, with itself; the logits."""
    return LAYERS * (2 * per_layer + 4 * HEADS * HEAD * (seen + 1)) + 2 * D * IDS


@pytest.mark.parametrize("tokens", [1, 9])
def test_products_are_counted_as_by_hand(tokens: int) -> None:
    for config, per_layer, seen in (
        (LLAMA, PROJECTIONS + EXPERT, tokens),
        (MISTRAL, PROJECTIONS + EXPERT, min(tokens, 4)),  # with the token itself, five
        (MIXTRAL, PROJECTIONS + 2 * EXPERT + 4 * D, tokens),  # two experts of four, and the router
    ):
        assert measured_costs(config, tokens, "float32").operations == by_hand(per_layer, seen), config["model_type"]


def test_parameters_are_those_of_the_model() -> None:
    assert measured_costs(LLAMA, 3, "float32").parameters == LAYERS * (PROJECTIONS + EXPERT + 2 * D) + D + 2 * D * IDS


def test_a_plan_of_a_config_has_flops_where_they_are_measured(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = tmp_path / "config.json"
    path.write_text(json.dumps(LLAMA), encoding="utf-8")
    plan = ("plan", "index-lookup", "--length", "9", "--config", str(path))
    (row,) = answer(capsys, *plan)["rows"]
    assert (row["flops_per_token"], row["bytes_per_token"]) == (None, None)
    (row,) = answer(capsys, *plan, "--measure")["rows"]
    assert row["flops_per_token"] == by_hand(PROJECTIONS + EXPERT, 9)
    state = LAYERS * 2 * KEYS * HEAD * 9
    assert row["bytes_per_token"] == 4 * (measured_costs(LLAMA, 9, "float32").parameters + state)
    assert "--measure needs --config" in refusal(capsys, "plan", "copy", "--length", "9", "--measure")


def test_what_cannot_be_run_is_one_line() -> None:
    with pytest.raises(BadInput, match="cannot run this config"):
        measured_costs({**LLAMA, "num_key_value_heads": 3}, 5, "float32")
