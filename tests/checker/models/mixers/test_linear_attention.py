"""Linear attention against its recurrence, token by token, in another order than the checker's."""

from __future__ import annotations

import numpy as np
import pytest

from separatrix.checker.models.description import read_description
from separatrix.checker.models.model import Model
from separatrix.checker.models.sizes import state_bits
from separatrix.checker.numbers.formats import numbers
from tests.checker.models.small import document, layer, tensors


def recurrence(x: np.ndarray, w: dict[str, np.ndarray], heads: int, m: int, u: int, dtype: type) -> np.ndarray:
    """S and z carried from token to token, in the format."""
    q, k, v = (x @ w[name].T + w[f"{name}_bias"] for name in ("query", "key", "value"))
    S, z, out = np.zeros((heads, u, m), dtype=dtype), np.zeros((heads, m), dtype=dtype), []
    for t in range(len(x)):
        read = []
        for h in range(heads):
            fq, fk = (
                np.where(a > 0, a + 1, np.exp(np.minimum(a, 0))).astype(dtype)
                for a in (q[t, h * m : (h + 1) * m], k[t, h * m : (h + 1) * m])
            )
            S[h] += np.outer(v[t, h * u : (h + 1) * u], fk).astype(dtype)
            z[h] += fk
            read.append((S[h] @ fq) / (z[h] @ fq))
        out.append(np.concatenate(read) @ w["out"].T + w["out_bias"])
    return np.array(out, dtype=dtype)


@pytest.mark.parametrize(("arithmetic", "dtype"), [("float64", np.float64), ("float32", np.float32)])
def test_all_tokens_at_once_are_the_recurrence_within_the_error(arithmetic: str, dtype: type) -> None:
    mixer = {"kind": "linear-attention", "heads": 2, "key_width": 3, "value_width": 2, "bias": True}
    embedding = {"numbers": 0, "number_address": None, "places": [], "gated": False}
    described = document(arithmetic, [layer(mixer, None, residual=False)], width=4, embedding=embedding)
    used = 0.0
    for seed in range(20):
        weights = {name: tensor.astype(dtype) for name, tensor in tensors(described, seed, 0.13, 9).items()}
        tokens = np.random.default_rng(seed).integers(0, 3, 12)
        part = {name.removeprefix("layers.0.mixer."): tensor for name, tensor in weights.items()}
        theirs = (
            recurrence(weights["embedding.table"][tokens], part, 2, 3, 2, dtype) @ weights["readout.weight"].T + weights["readout.bias"]
        )
        output = Model(read_description(described), weights, numbers(arithmetic)).logits(tokens, list(range(12)))
        assert ((output.low <= theirs) & (theirs <= output.high)).all()
        used = max(used, float((np.abs(output.middle - theirs) / output.radius).max()))
    assert used > 1e-3
    assert state_bits(read_description(described), 64) == 2 * 3 * (2 + 1) * 64
