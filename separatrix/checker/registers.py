"""A forward pass of the register file in NumPy, written from its description and not from the model's code.

At token t, for k = 1 .. K in turn:  h_w' = a + b h_w + c h_r + d h_w h_r,  with w = write[t, k] and r = read[t, k], or for a numbered token
r = number_read[number, k]; a, b, c, d by t, k and token. Registers are 0 or 1, and anything else is refused; scratch
registers start at 0 at every token. Logits are U h + u.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from separatrix.checker.fields import exactly, within
from separatrix.checker.numbers import Numbers
from separatrix.checker.seal import Refused
from separatrix.checker.shapes import MOST
from separatrix.checker.weights import Tensors

Array = npt.NDArray[Any]
CONFIG = {"registers": int, "length": int, "writes": int, "plain": int, "numbers": int, "targets": int, "scratch": int, "arithmetic": str}


class Registers:
    """A register file read from a certificate, ready to run."""

    def __init__(self, config: Any, tensors: Tensors, numbers: Numbers) -> None:
        self.config, self.numbers = exactly(config, "config", **CONFIG), numbers
        for key, least in (("registers", 1), ("length", 1), ("writes", 1), ("plain", 1), ("numbers", 0), ("targets", 1), ("scratch", 0)):
            within(config[key], least, MOST, key)
        self.embedding = {"plain": config["plain"], "numbers": config["numbers"]}
        R, T, K, numbered = (config[key] for key in ("registers", "length", "writes", "numbers"))
        shapes = {"write": (T, K), "read": (T, K), "gates": (T, K, config["plain"] + (numbered > 0), 4)}
        shapes |= {"unembedding": (config["targets"], R), "unembedding_bias": (config["targets"],)}
        shapes |= {"number_read": (numbered, K)} if numbered else {}
        if set(tensors) != set(shapes):
            raise Refused(f"weights: expected {', '.join(sorted(shapes))}, found {', '.join(sorted(tensors))}")
        for name, shape in shapes.items():
            if tensors[name].shape != shape:
                raise Refused(f"weights: {name} has shape {tensors[name].shape}, the configuration asks for {shape}")
            places = name in ("write", "read", "number_read")
            if tensors[name].dtype != np.int64 if places else tensors[name].dtype.kind != "f":
                raise Refused(f"weights: {name} holds numbers of the wrong type")
            if places and not 0 <= tensors[name].min() <= tensors[name].max() < R + config["scratch"]:
                raise Refused(f"weights: {name} names a register that is not there")
        self.weights = tensors

    def logits(self, tokens: Array, positions: list[int]) -> Array:
        """Logits [positions, targets] of one input."""
        if len(tokens) > self.config["length"] or not 0 <= tokens.min() <= tokens.max() < sum(self.embedding.values()):
            raise Refused("a case has too many tokens, or one outside the model's vocabulary")
        w, plain = self.weights, self.config["plain"]
        R, seen = self.config["registers"], {}
        h = [0] * (R + self.config["scratch"])
        for t, token in enumerate(tokens.tolist()):
            h[R:] = [0] * self.config["scratch"]  # nothing but the registers crosses from one token to the next
            for k in range(self.config["writes"]):
                at = int(w["write"][t, k])
                r = h[int(w["number_read"][token - plain, k] if token >= plain else w["read"][t, k])]
                a, b, c, d = w["gates"][t, k, min(token, plain)].tolist()
                value = a + b * h[at] + c * r + d * h[at] * r
                if value not in (0, 1):
                    raise Refused(f"weights: token {t + 1} of a case puts {value!r} into a register of one bit")
                h[at] = int(value)
            if t in positions:
                seen[t] = h[:R]
        state = np.array([seen[t] for t in positions], dtype=np.float64)
        U, u = (self.numbers.parameter(w[name], name) for name in ("unembedding", "unembedding_bias"))
        return self.numbers.linear(state.astype(U.dtype), U, u)
