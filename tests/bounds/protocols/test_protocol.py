"""A one-layer Transformer as a protocol: the same bits as the model, and no more than the formula says."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from separatrix.bounds.protocols.one_layer import repaired_bits
from separatrix.bounds.protocols.protocol import one_layer_model, protocol_cost, run_protocol
from separatrix.errors import BadInput
from tests.bounds.small_models import configuration, random_model, random_weights

FORMATS = [(6, 0, 2.0), (9, 8, 0.75), (8, 3, 1.5), (12, 4, 2.0), (30, 20, 1.0), (70, 40, 2.0)]  # p, f, largest weight


@pytest.mark.parametrize(("p", "f", "most"), FORMATS)
def test_the_protocol_gives_the_models_bits_over_any_partition(p: int, f: int, most: float) -> None:
    rng, met = np.random.default_rng(p), Counter[str]()
    for _ in range(40):
        model = random_model(rng, p, f, most)
        n = int(rng.integers(2, 9))
        tokens = rng.integers(0, model.vocabulary, n).tolist()
        some = rng.choice(n, int(rng.integers(1, n)), replace=False).tolist()
        for alice in (range(0, n, 2), some):
            for at in (-1, int(rng.integers(n))):
                run = run_protocol(model, tokens, alice, at)
                assert list(run.logits) == [int(v) for v in model.logits(tokens, at)]
                assert run.transcript.answer == model.says(tokens, at)
                cost = protocol_cost(model, n).repaired
                assert run.transcript.bits <= cost
                full = model.heads.scores == "softmax" and (not model.heads.causal or at == -1)
                if full:  # every message is sent
                    assert run.transcript.bits == cost
                met.update({model.heads.scores, f"answer {run.transcript.answer}", f"full {full}"})
                met.update({run.transcript.messages[0].sender, f"heads {model.heads.heads}"})
    assert all(met[what] >= 8 for what in ("softmax", "uniform", "hard", "full True", "full False", "Alice", "Bob", "heads 3")), met


def test_what_alice_says_first_does_not_depend_on_bobs_tokens() -> None:
    """Messages up to Bob's first are a function of Alice's tokens alone."""
    rng = np.random.default_rng(0)
    changed = 0
    for _ in range(60):
        model = random_model(rng, 10, 4, 1.5, layer={"attention": "softmax"})
        tokens = rng.integers(0, model.vocabulary, 6).tolist()
        other = [*tokens[:3], *rng.integers(0, model.vocabulary, 3).tolist()]
        alice = [0, 1, 2]
        first, second = (run_protocol(model, x, alice, at=0).transcript.messages for x in (tokens, other))
        until = next(i for i, message in enumerate(first) if message.sender == "Bob") if any(m.sender == "Bob" for m in first) else 0
        assert [m.bits for m in first[:until]] == [m.bits for m in second[:until]]
        changed += [m.bits for m in first] != [m.bits for m in second]
    assert changed > 10


def test_equal_transcripts_answer_the_crossed_input_alike() -> None:
    rng, met = np.random.default_rng(1), 0
    for _ in range(30):
        model = random_model(rng, 5, 1, 1.5)
        n, alice, by_messages = 6, [0, 2, 4], {}
        for _ in range(30):
            tokens = rng.integers(0, model.vocabulary, n).tolist()
            messages = tuple(m.bits for m in run_protocol(model, tokens, alice).transcript.messages)
            if messages in by_messages:
                other = by_messages[messages]
                crossed = [tokens[i] if i in alice else other[i] for i in range(n)]
                assert tuple(m.bits for m in run_protocol(model, crossed, alice).transcript.messages) == messages
                met += crossed not in (tokens, other)
            by_messages[messages] = tokens
    assert met > 50


def test_bits_at_a_size_worked_by_hand() -> None:
    """m = d = p = 64, f = 32, N = 1000, H = 1 and four symbols: 2 + 128 + 2 (32 + 10) + 64 * 96 + 1 = 6359; steps and claim likewise."""
    config = configuration("fixed:64,32", width=64, layer={"key_width": 64, "value_width": 64}, embedding={"plain": 4})
    model = one_layer_model(config, random_weights(np.random.default_rng(0), config, 3, 0.5))
    cost = protocol_cost(model, 1000)
    assert (cost.repaired, cost.printed_steps, round(cost.printed_claim)) == (6359, 20756, 14201)
    assert cost.repaired == repaired_bits(64, 64, 32, 1000, 1, 4)


def test_a_run_prints_as_a_dialogue_whose_bits_add_up() -> None:
    model = random_model(np.random.default_rng(3), 8, 3, 1.0, layer={"attention": "softmax", "heads": 1})
    run = run_protocol(model, [1, 0, 1, 1], [0, 1])
    text = str(run.transcript)
    assert text.splitlines()[0].startswith("Bob   -> ")
    assert "my largest logit" in text
    assert text.endswith(f"after {sum(len(m.bits) for m in run.transcript.messages)} bits")


def test_bad_input_is_one_clear_line() -> None:
    rng = np.random.default_rng(0)
    model = random_model(rng, 8, 3, 1.0)
    for tokens, first in (([0, 99, 98], 99), ([0, model.vocabulary], model.vocabulary), ([-1, 0], -1)):
        with pytest.raises(BadInput, match=rf"^tokens must lie in 0\.\.{model.vocabulary - 1}, found {first}$"):
            run_protocol(model, tokens, [0])
    assert run_protocol(model, [0, model.vocabulary - 1], [0]).transcript.bits > 0
    with pytest.raises(BadInput, match=r"^alice and bob must each hold a position of 2, found 2 for alice$"):
        run_protocol(model, [0, 1], [0, 1])
    with pytest.raises(BadInput, match=r"^the position read out must lie in -2\.\.1, found 2$"):
        run_protocol(model, [0, 1], [0], at=2)
    config = configuration("float64")
    with pytest.raises(BadInput, match=r"^the protocol needs arithmetic fixed:p,f, found float64$"):
        one_layer_model(config, random_weights(rng, config, 3, 1.0))
    config = configuration("fixed:8,3")
    with pytest.raises(BadInput, match=r"not a safetensors file"):
        one_layer_model(config, b"x")
    two = configuration("fixed:8,3")
    two["layers"] = two["layers"] * 2
    with pytest.raises(BadInput, match=r"^the protocol takes a model with one layer, found 2$"):
        one_layer_model(two, random_weights(rng, two, 3, 1.0))
