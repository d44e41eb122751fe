"""A Hugging Face config, or a model with weights, as a row of a plan."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from separatrix.bounds.number_format import NumberFormat, number_format
from separatrix.bounds.planning import Candidate
from separatrix.errors import BadInput
from separatrix.models.cost_formulas import SIZED, WIDTHS, SizedModel, sized_model
from separatrix.runs.measured_state import meta_model, quietly, state_after
from separatrix.state.reading import BYTES, chosen_dtype, read_config, read_json
from separatrix.tasks import Task

if TYPE_CHECKING:
    from separatrix.models.model import Model


SEEING = ("window", "conv")  # kinds of layers that keep a few tokens and nothing made of others
DTYPES = {"64": "float64", "32": "float32", "16": "bfloat16", "8": "int8"}
MANY = 10**9  # tokens, more than any window


@dataclass(frozen=True)
class ConfigCandidate:
    """The bytes that can still change a later output are all that crosses a cut; what a token costs is known if it is measured."""

    architecture: str
    name: str
    document: Mapping[str, Any]
    dtype: str
    measure: bool = False
    measured: dict[int, Costs] = field(default_factory=dict, compare=False)  # after each number of tokens

    @property
    def place(self) -> str:
        """The folder of the config."""
        return str(Path(self.name).parent) if Path(self.name).is_file() else self.name

    def state_bits(self, tokens: int, bits: int) -> int:  # noqa: ARG002
        """At the config's own dtypes, which may differ from the model's."""
        from separatrix.runs.state_of import state_bytes

        return 0 if tokens == 0 else 8 * state_bytes(self.document, tokens, self.dtype).needed

    def carried_bits(self, tokens: int, bits: int, token_bits: int) -> int:  # noqa: ARG002
        return self.state_bits(tokens, bits)

    def operations(self, tokens: int) -> int | None:
        costs = self._costs(tokens)
        return None if costs is None else costs.operations

    def parameters(self, length: int) -> int | None:
        costs = next(iter(self.measured.values()), None) or self._costs(length)  # the same after any number of tokens
        return None if costs is None else costs.parameters

    def sees(self) -> tuple[int, ...] | None:
        """How many tokens back windows and short convolutions alone can see, from what a layer holds after many tokens and after one."""
        from separatrix.runs.state_of import state_bytes

        first, later = (state_bytes(self.document, tokens, self.dtype).layers for tokens in (1, MANY))
        if not first or any(layer.kind not in SEEING or not layer.needed for layer in first):
            return None
        return tuple(after.needed // before.needed + 1 for before, after in zip(first, later, strict=True))

    def one_layer(self) -> int | None:
        """Not read off a config: its attention may differ from the theorem's."""
        return None

    def _costs(self, tokens: int) -> Costs | None:

        if self.measure and tokens not in self.measured:
            self.measured[tokens] = measured_costs(self.document, tokens, self.dtype)
        return self.measured.get(tokens)


@dataclass(frozen=True)
class ModelCandidate:
    """A model of ours, trained, built or fresh."""

    architecture: str
    name: str
    model: Model

    @property
    def place(self) -> str:
        """Its folder or file."""
        return self.name

    def state_bits(self, tokens: int, bits: int) -> int:
        """What the law of cuts moves."""
        self.model.need_steps()
        return sum(layer.mixer.state_bits(tokens, bits) for layer in self.model.each_layer() if layer.mixer is not None)

    def carried_bits(self, tokens: int, bits: int, token_bits: int) -> int:
        from separatrix.models.state_at_cut import bits_at_cut

        worth = bits_at_cut(self.model.cuts(tokens), self.model.config.width, bits, token_bits)
        return min(worth, self.state_bits(tokens, bits))

    def operations(self, tokens: int) -> int | None:
        """Counted while one token is read."""
        from separatrix.models.measured_costs import operations_per_token

        return operations_per_token(self.model, tokens)

    def sees(self) -> tuple[int, ...] | None:
        """The windows of its layers, read off their masks; None if a layer has no window."""
        from separatrix.models.masks import Window

        mixers = [layer.mixer for layer in self.model.each_layer() if layer.mixer is not None]
        masks = [getattr(getattr(mixer, "config", None), "mask", None) for mixer in mixers]
        return tuple(mask.size for mask in masks if isinstance(mask, Window)) if all(isinstance(m, Window) for m in masks) else None

    def one_layer(self) -> int | None:
        """Heads times value width of its only layer, if that is softmax attention."""
        from separatrix.models.mixers.attention import MultiHeadAttention

        mixers = [layer.mixer for layer in self.model.each_layer() if layer.mixer is not None]
        if len(mixers) != 1 or not isinstance(mixers[0], MultiHeadAttention) or mixers[0].config.scores != "softmax":
            return None
        return mixers[0].config.heads * mixers[0].config.value_width

    def parameters(self, length: int) -> int | None:  # noqa: ARG002
        return sum(parameter.numel() for parameter in self.model.parameters())


def config_candidate(place: Path, precision: str | None, measure: bool = False) -> tuple[NumberFormat, Candidate]:
    """The model of a config, in its own dtype or in the one that is asked for; a number of bits is the dtype that has them."""
    document = read_json(place)
    read = read_config(document)
    asked = DTYPES.get(precision, precision) if precision is not None else None
    if asked is not None and asked not in BYTES:
        raise BadInput(f"--precision with --config is one of {' '.join((*BYTES, *DTYPES))}, found {precision}")
    dtype, _ = chosen_dtype(asked, read)
    return numbers_of(dtype), ConfigCandidate(read.fields.type, str(place), document, dtype, measure)


def numbers_of(dtype: str) -> NumberFormat:
    """The number format of a dtype; those of one byte are any format of eight bits."""
    return NumberFormat(8) if BYTES[dtype] == 1 else number_format(dtype)


def sized_candidate(name: str, task: Task) -> SizedModel | None:
    """A configuration with cost formulas by its formulas, without building it; None for any other name."""
    from separatrix.models.model_names import configuration

    kind, sizes = configuration(name, {})
    if kind not in SIZED or sizes.keys() != {"layers", "width"} or sizes["width"] % WIDTHS:
        return None
    return sized_model(kind, sizes["layers"], sizes["width"], task.vocabulary, task.targets)


def model_candidate(place: str, task: Task, code: Collection[str] = ()) -> Candidate:
    """A model by name, in a folder, or from the user's own code."""
    from separatrix.models import model_for
    from separatrix.models.model import Model
    from separatrix.models.model_names import configuration
    from separatrix.runs.load import load_model
    from separatrix.runs.spec import sizes_for

    stored = Path(place).is_dir()
    by_formula = None if stored else sized_candidate(place, task)
    if by_formula is not None:
        return by_formula
    model = load_model(place, task, code) if stored else model_for(place, {**sizes_for(task), "seed": 0}, {})
    if not isinstance(model, Model):
        raise BadInput(f"{place}: a plan needs a model whose state is declared, found {type(model).__name__}")
    return ModelCandidate("model" if stored else configuration(place, {})[0], place, model.eval())


@dataclass(frozen=True)
class Costs:
    """Operations of the token after some others, and the parameters of the model."""

    operations: int
    parameters: int


def measured_costs(document: Mapping[str, Any], tokens: int, dtype: str) -> Costs:
    """Operations of the next token after `tokens` others, counted with the state that those leave behind."""
    try:
        import torch
        import transformers
        from torch.utils.flop_counter import FlopCounterMode
    except ImportError as error:
        raise BadInput("measuring needs transformers: pip install 'separatrix[hf]'") from error
    with quietly(transformers), torch.no_grad():
        try:
            model = meta_model(document, getattr(torch, dtype))
            state = state_after(model, tokens) if tokens else {}
            counter = FlopCounterMode(display=False)
            with counter:
                model(input_ids=torch.zeros((1, 1), dtype=torch.long, device="meta"), use_cache=True, **state)
        except Exception as error:  # anything that a strange config makes the engine raise
            reason = " ".join(str(error).split())[:200]
            raise BadInput(f"transformers {transformers.__version__} cannot run this config: {type(error).__name__}: {reason}") from error
    return Costs(int(counter.get_total_flops()), sum(parameter.numel() for parameter in model.parameters()))
