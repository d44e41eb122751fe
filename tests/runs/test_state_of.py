"""The state of whatever is named: configs without a formula are measured, and what nobody knows is refused."""

from __future__ import annotations

from typing import Any

import pytest

import separatrix as sx
from separatrix.errors import BadInput
from separatrix.runs import state_of as module
from separatrix.runs.measured_state import measured_state

pytestmark = pytest.mark.filterwarnings("ignore")

SIZES = {"hidden_size": 32, "intermediate_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "vocab_size": 60}


def test_a_type_that_transformers_knows_without_a_formula_is_measured_and_marked() -> None:
    config = {"model_type": "bert", "is_decoder": True, **SIZES}
    counted = sx.state_bytes(config, length=9, dtype="bfloat16")
    assert counted.held == counted.needed == 2 * 2 * 32 * 9 * 2
    assert {layer.kind for layer in counted.layers} == {"measured"}
    assert "measured on the meta device, no formula" in counted.layers[0].document()["formula"]
    assert "keys [1, 4, 9, 8] bfloat16" in counted.layers[0].formula


def test_a_type_that_nobody_knows_is_refused_with_its_fields() -> None:
    with pytest.raises(BadInput) as refused:
        sx.state_bytes({"model_type": "novel", "ssm_state": 64}, length=9)
    assert "no formula for model_type 'novel'; fields that look like state: ssm_state = 64" in str(refused.value)
    assert "does not know it either" in str(refused.value)
    assert "\n" not in str(refused.value)


def test_a_model_without_a_cache_is_refused() -> None:
    with pytest.raises(BadInput, match="returns no state"):
        sx.state_bytes({"model_type": "bert", "is_decoder": False, **SIZES}, length=9)


def test_a_config_that_the_engine_cannot_run_is_refused_in_one_line() -> None:
    with pytest.raises(BadInput, match="cannot run this config") as refused:
        measured_state({"model_type": "llama", "hidden_size": 30, "num_attention_heads": 4, "num_hidden_layers": 1}, 5)
    assert "\n" not in str(refused.value)


def test_code_that_a_config_names_is_not_run(tmp_path: Any) -> None:
    config = {"model_type": "novel", "auto_map": {"AutoConfig": f"{tmp_path}--evil.Config"}, "hidden_size": 8}
    with pytest.raises(BadInput, match="does not know it either"):
        sx.state_bytes(config, length=9)


@pytest.mark.parametrize("kind", ["recurrent_gemma", "deepseek_v4", "rwkv", "xlstm", "minimax"])
def test_state_outside_the_usual_cache_is_measured_too(kind: str) -> None:
    from separatrix.state import config_state
    from tests.state.random_configs import random_config

    config = random_config(kind, 0)
    assert measured_state(config, 21, "bfloat16").held == config_state(config, 21, "bfloat16").held


def test_a_model_that_needs_values_cannot_be_measured_and_says_so() -> None:
    from tests.state.random_configs import random_config

    with pytest.raises(BadInput, match=r"cannot run this config: NotImplementedError: .*nonzero"):
        measured_state(random_config("longcat_flash", 0), 21)


def test_a_model_at_hand_says_its_state() -> None:
    model = sx.model("lstm", vocabulary=3, targets=2, width=16, layers=2)
    assert sx.state_bytes(model, length=50, dtype="float32").held == 2 * 2 * 16 * 4
    with pytest.raises(BadInput, match="expected a model with state_bits"):
        sx.state_bytes(object(), length=50)


def test_bits_that_fill_no_byte_are_rounded_up() -> None:
    class Five:
        def state_bits(self, length: int, dtype: str = "float32") -> int:  # noqa: ARG002
            return 5 * length

    assert [sx.state_bytes(Five(), length=n).held for n in (0, 1, 8)] == [0, 1, 5]


def test_an_id_is_looked_up_on_the_hub_once(monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub

    requests = []

    class Answer:
        def json(self) -> dict[str, Any]:
            return {"model_type": "llama", "hidden_size": 64, "num_hidden_layers": 1, "num_attention_heads": 4}

    class Session:
        def get(self, place: str, **_: Any) -> Answer:
            requests.append(place)
            return Answer()

    monkeypatch.setattr(huggingface_hub, "try_to_load_from_cache", lambda *_: None)
    monkeypatch.setattr(huggingface_hub.utils, "get_session", Session)
    monkeypatch.setattr(huggingface_hub.utils, "hf_raise_for_status", lambda _: None)
    assert module.state_of("some/model", 10, "bfloat16").held == 2 * 64 * 10 * 2
    assert len(requests) == 1
    assert requests[0].endswith("/some/model/resolve/main/config.json")


def test_a_hub_that_cannot_be_reached_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    import huggingface_hub

    class Session:
        def get(self, *_: Any, **__: Any) -> None:
            raise ConnectionError("no route\nto host")

    monkeypatch.setattr(huggingface_hub, "try_to_load_from_cache", lambda *_: None)
    monkeypatch.setattr(huggingface_hub.utils, "get_session", Session)
    with pytest.raises(BadInput) as refused:
        module.state_of("some/model", 10)
    assert (
        str(refused.value) == "no such config: 'some/model', neither a file nor readable from the hub (ConnectionError: no route to host)"
    )


def test_a_model_of_ours_is_counted_layer_by_layer() -> None:
    """Two layers of Mamba, 128 channels with 16 numbers and three columns each, and the cache of 100 tokens above them."""
    counted = module.state_of("hybrid-mamba-2-64+1", 100, "bfloat16", batch=2)
    assert [(layer.kind, layer.held) for layer in counted.layers] == [
        ("mamba", 2 * 128 * (16 + 3) * 2),
        ("mamba", 2 * 128 * (16 + 3) * 2),
        ("attention", 2 * 100 * 2 * 64 * 2),
    ]
    assert counted.layers[2].formula == "100 tokens * 128 numbers * 16 = 204,800 bits, 2 times"
    assert counted.held == sum(layer.held for layer in counted.layers)
    assert [layer.kind for layer in module.state_of("lstm-2-8", 5).layers] == ["lstm", "lstm"]


def test_registers_are_bits_whatever_the_number_type() -> None:
    from separatrix.constructions import build

    counted = sx.state_bytes(build("index-lookup/recurrent", length=9, symbols=4).model, length=9, dtype="float32")
    assert (counted.held, counted.layers[0].formula) == (3, "18 bits = 18 bits")  # two bits for each of nine symbols


class Declares:
    """A model that declares its sum alone."""

    def state_bits(self, length: int, dtype: str = "float32") -> int:  # noqa: ARG002
        return 33 * length


def test_a_model_that_only_declares_its_state_is_one_row() -> None:
    counted = sx.state_bytes(Declares(), length=2, batch=3)
    assert [(layer.kind, layer.held) for layer in counted.layers] == [("state", 3 * 9)]
