"""The monotone barrier, attacked: random small models of each mixer that is called inside, by their own step, with states of 3 to 6 bits.

    python benchmarks/barrier.py [MODELS] [--json]

A model is one or two layers of the package's own modules, of width 3, with random weights. It reads a word u again and again by the step
that decodes with it, and after every token each number of its recurrences is rounded to a tiny format: fixed point that saturates, or a
small float. (What a convolution remembers is input, and stays as it is.) A model inside the barrier stands still after N(u) words; one that
moves later is periodic. Beside them run controls that break one hypothesis each, and that must be found periodic: other modules (signed
gates, reflections, cells whose gates see their state), and the modules inside with numbers that wrap around or are rounded in a way that is
not monotone.
"""

from __future__ import annotations

import json
import sys
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.func import functional_call, stack_module_state, vmap

from separatrix.models.config import EmbeddingConfig, LayerConfig, MixerConfig, ModelConfig, ReadoutConfig
from separatrix.models.mixers.deltanet import deltanet
from separatrix.models.mixers.elman import ElmanConfig
from separatrix.models.mixers.gru import GruConfig
from separatrix.models.mixers.linear_attention import linear_attention
from separatrix.models.mixers.mamba import mamba
from separatrix.models.mixers.mamba2 import mamba2
from separatrix.models.mixers.rank_one import RankOneConfig
from separatrix.models.mixers.selective_rnn import SelectiveRnnConfig
from separatrix.models.model import Model
from separatrix.tasks.languages.periods import blocks_until_still

WIDTH, TAPS, LETTERS = 3, 2, 2
AT_ONCE = 2500  # models of one shape, format and length of word
CONVOLVED = 2  # parts of a state of which the first is what a convolution remembers


@dataclass(frozen=True)
class Inside:
    """A mixer, and the scale of its random weights: such that its gates are neither all open nor all shut."""

    config: MixerConfig
    scale: float = 1.0
    windows: int = 1  # inputs that choose a map


INSIDE = {
    "mamba": Inside(mamba(WIDTH, state=2, expand=1, convolution=TAPS), windows=TAPS),
    "mamba2": Inside(mamba2(WIDTH, state=2, head=3, expand=1, convolution=TAPS), windows=TAPS),
    "linear-attention": Inside(linear_attention(WIDTH, heads=1)),
    "selective-rnn-positive": Inside(SelectiveRnnConfig(WIDTH, "positive"), 0.7),
}
CONTROLS = {
    "signed gates (selective-rnn)": Inside(SelectiveRnnConfig(WIDTH, "signed"), 0.7),
    "reflections (deltanet, beta up to 2)": Inside(deltanet(WIDTH, heads=1, convolution=TAPS, negative=True), 2.0, TAPS),
    "any factors (rank-one)": Inside(RankOneConfig(WIDTH, 2), 0.7),
    "a gate that sees its state (gru)": Inside(GruConfig(), 3.0),
    "a state that is fed back (elman)": Inside(ElmanConfig(), 2.0),
}


@dataclass(frozen=True)
class TinyFormat:
    """The numbers of a format in order, and how a real number becomes one of them."""

    name: str
    numbers: Tensor
    rounding: str = "nearest"

    def rounded(self, x: Tensor) -> Tensor:
        """Each number of x as one of the format."""
        top = len(self.numbers) - 1
        if self.rounding == "nearest":  # monotone, and saturates
            between = (self.numbers[1:] + self.numbers[:-1]) / 2
            return self.numbers[torch.searchsorted(between, x.contiguous())]
        step = float(self.numbers[1] - self.numbers[0])
        at = torch.floor((x - self.numbers[0]) / step + 0.5).long()
        if self.rounding == "wraps around":
            return self.numbers[at % (top + 1)]
        low = torch.floor((x - self.numbers[0]) / step).long()  # "to odd": what lies between goes beyond the even neighbour
        exact = self.numbers[0] + step * low == x
        return self.numbers[torch.where(exact, low, torch.where(low % 2 == 1, low - 1, low + 2)).clamp(0, top)]


def fixed(bits: int, fraction: int, rounding: str = "nearest") -> TinyFormat:
    """Fixed point, in two's complement."""
    half = 1 << bits - 1
    return TinyFormat(f"fixed:{bits},{fraction}", torch.arange(-half, half, dtype=torch.float64) / (1 << fraction), rounding)


def small_float(exponent: int, mantissa: int) -> TinyFormat:
    """Floats with subnormal numbers and without infinities; the zeros are one number, because no gate is -0.0."""
    bias, found = (1 << exponent - 1) - 1, set[float]()
    for e in range(1 << exponent):
        for m in range(1 << mantissa):
            size = (m + (e > 0) * (1 << mantissa)) * 2.0 ** (max(e, 1) - bias - mantissa)
            found |= {size, -size}
    return TinyFormat(f"float:{exponent},{mantissa}", torch.tensor(sorted(found), dtype=torch.float64))


FORMATS = (
    *(fixed(bits, fraction) for bits in (3, 4, 5, 6) for fraction in (0, 1, 2)),
    *(small_float(e, m) for e, m in ((1, 1), (2, 1), (2, 2), (3, 1), (3, 2), (2, 3))),
)  # fmt: skip


class Step(nn.Module):
    """One token of one model, from the parts of its state to those after it, in the order of its layers."""

    def __init__(self, model: Model) -> None:
        super().__init__()
        self.model = model
        self.shape = [len(parts) for parts in model.initial_state(1).layers]

    def forward(self, letter: Tensor, *parts: Tensor) -> tuple[Tensor, ...]:
        """The parts after a letter [rows]."""
        x, after, at = self.model.embedding.table[letter], list[Tensor](), 0
        for layer, count in zip(self.model.each_layer(), self.shape, strict=True):
            following, x = layer.step(parts[at : at + count], x, 0)
            after += following
            at += count
        return tuple(after)

    def recurrent(self) -> list[bool]:
        """For each part whether a recurrence changes it; the first of two is what a convolution remembers, if there is one."""
        convolved = [hasattr(layer.mixer, "convolution") for layer in self.model.each_layer()]
        return [not (has and i == 0) for count, has in zip(self.shape, convolved, strict=True) for i in range(count)]


def model_of(inside: Inside, layers: int) -> Model:
    """A model of so many layers with residual connections."""
    config = ModelConfig(
        EmbeddingConfig(LETTERS), (LayerConfig(inside.config, residual=True),) * layers, ReadoutConfig(2), WIDTH, arithmetic="float64"
    )
    return Model(config).double().eval()


def moving(inside: Inside, format: TinyFormat, models: int, seed: int) -> tuple[int, int]:
    """How many of so many random models still move after N(u) words u, and after how many words the last of the others stood still.

    Each model has its own word; all words have one length.
    """
    draw, random = np.random.default_rng(seed), torch.Generator().manual_seed(seed)
    layers, block = int(draw.integers(1, 3)), int(draw.integers(1, 4))
    step = Step(model_of(inside, layers))
    stacked, _ = stack_module_state([step])  # type: ignore[no-untyped-call]
    scale = inside.scale * float(draw.choice([0.5, 1.0, 2.0]))
    weights = {
        name: scale * torch.randn((models, *tensor.shape[1:]), generator=random, dtype=torch.float64) for name, tensor in stacked.items()
    }
    words = torch.from_numpy(draw.integers(0, LETTERS, (models, block)))
    advanced = vmap(lambda weight, letter, *parts: functional_call(step, weight, (letter, *parts)))
    first = [part for layer in step.model.initial_state(1).layers for part in layer]
    state, recurrent = [part.expand(models, *part.shape).clone() for part in first], step.recurrent()
    state = [format.rounded(part) if own else part for part, own in zip(state, recurrent, strict=True)]
    still = blocks_until_still(layers, len(format.numbers) + 1, block, (inside.windows,) * layers)
    with torch.no_grad():
        for words_read in range(still + 1):
            before = state
            for t in range(block):
                after = advanced(weights, words[:, t : t + 1], *state)
                state = [format.rounded(part) if own else part for part, own in zip(after, recurrent, strict=True)]
            moves = torch.stack([(now != then).flatten(1).any(dim=1) for now, then in zip(state, before, strict=True)]).any(dim=0)
            if not bool(moves.any()):
                return 0, words_read  # nothing changes any more
    return int(moves.sum()), still


def periodic(inside: Inside, models: int, formats: tuple[TinyFormat, ...] = FORMATS, each: int = AT_ONCE) -> tuple[int, int]:
    """The same over so many models in all; depth, length of the word, scale and format change every `each` of them."""
    runs = [moving(inside, formats[run % len(formats)], min(each, models - run * each), run) for run in range(-(-models // each))]
    return sum(found for found, _ in runs), max(last for _, last in runs)


def controls(models: int, each: int = AT_ONCE, bits: tuple[int, ...] = (3, 4, 5, 6)) -> dict[str, int]:
    """What breaks one hypothesis: how many of so many models move later than is allowed."""
    nearest, wrapping, to_odd = (
        tuple(fixed(b, fraction, rounding) for b in bits for fraction in (0, 1)) for rounding in ("nearest", "wraps around", "to odd")
    )
    found = {name: periodic(one, models, nearest, each)[0] for name, one in CONTROLS.items()}
    found |= {f"numbers that wrap around ({name})": periodic(one, models, wrapping, each)[0] for name, one in INSIDE.items()}
    return found | {f"rounding that is not monotone ({name})": periodic(one, models, to_odd, each)[0] for name, one in INSIDE.items()}


def main() -> None:
    """One line for each mixer, then the controls; with --json rows as of every benchmark."""
    given = [text for text in sys.argv[1:] if text != "--json"]
    models, rows = int(given[0]) if given else 100_000, list[dict[str, Any]]()
    for name, inside in INSIDE.items():
        began = time.process_time()
        found, last = periodic(inside, models)
        what = f"periodic models of {name}, of {models:,}"
        rows.append({"what": what, "ours": found, "peer": None, "unit": "models", "ratio": None, "goal": 0})
        took = f"{time.process_time() - began:.0f} s"
        print(f"{name}: {found} of {models:,} are periodic; the last stood still after {last} words ({took})", file=sys.stderr, flush=True)
    few = max(1, models // 50)
    for name, found in controls(few, min(few, 250)).items():
        rows.append({"what": f"control: {name}, of {few:,}", "ours": found, "peer": None, "unit": "models", "ratio": None, "goal": None})
        print(f"control, {name}: {found:,} of {few:,}", file=sys.stderr, flush=True)
    if "--json" in sys.argv:
        print(json.dumps(rows))


if __name__ == "__main__":
    main()
