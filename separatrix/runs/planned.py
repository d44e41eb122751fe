"""A Hugging Face config, or a model with weights, as a row of a plan."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from separatrix.bounds.planning import Candidate
from separatrix.bounds.table import NumberFormat, number_format
from separatrix.errors import BadInput
from separatrix.state.reading import BYTES, chosen_dtype, read_config, read_json
from separatrix.tasks import Task

if TYPE_CHECKING:
    from separatrix.models.model import Model
    from separatrix.runs.measured_costs import Costs


@dataclass(frozen=True)
class ConfigCandidate:
    """The bytes that can still change a later output are all that crosses a cut; what a token costs is known if it is measured."""

    architecture: str
    name: str
    document: Mapping[str, Any]
    dtype: str
    measure: bool = False
    measured: dict[int, Costs] = field(default_factory=dict, compare=False)  # after each number of tokens

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

    def _costs(self, tokens: int) -> Costs | None:
        from separatrix.runs.measured_costs import measured_costs

        if self.measure and tokens not in self.measured:
            self.measured[tokens] = measured_costs(self.document, tokens, self.dtype)
        return self.measured.get(tokens)


@dataclass(frozen=True)
class ModelCandidate:
    """A model of ours, trained, built or fresh."""

    architecture: str
    name: str
    model: Model

    def state_bits(self, tokens: int, bits: int) -> int:
        """What the law of cuts moves."""
        self.model.need_steps()
        return sum(layer.mixer.state_bits(tokens, bits) for layer in self.model.each_layer() if layer.mixer is not None)

    def carried_bits(self, tokens: int, bits: int, token_bits: int) -> int:
        from separatrix.models.cuts import bits_at_cut

        worth = bits_at_cut(self.model.cuts(tokens), self.model.config.width, bits, token_bits)
        return min(worth, self.state_bits(tokens, bits))

    def operations(self, tokens: int) -> int | None:
        """Counted while one token is read."""
        from separatrix.models.measures import operations_per_token

        return operations_per_token(self.model, tokens)

    def parameters(self, length: int) -> int | None:  # noqa: ARG002
        return sum(parameter.numel() for parameter in self.model.parameters())


def config_candidate(place: Path, precision: str | None, measure: bool = False) -> tuple[NumberFormat, list[Candidate]]:
    """The model of a config, in its own dtype or in the one that is asked for."""
    document = read_json(place)
    read = read_config(document)
    dtype, _ = chosen_dtype(None if precision is None or precision.isdigit() else precision, read)
    if precision is not None and precision.isdigit():
        raise BadInput(f"--precision with --config is a number type, one of {' '.join(BYTES)}, found {precision}")
    return number_format(dtype), [ConfigCandidate(read.fields.type, str(place), document, dtype, measure)]


def model_candidate(place: str, task: Task, code: Collection[str] = ()) -> Candidate:
    """A model by name, in a folder, or from the user's own code."""
    from separatrix.models import model_for
    from separatrix.models.configurations import configuration
    from separatrix.models.model import Model
    from separatrix.runs.load import load_model
    from separatrix.runs.spec import sizes_for

    stored = Path(place).is_dir()
    model = load_model(place, task, code) if stored else model_for(place, {**sizes_for(task), "seed": 0}, {})
    if not isinstance(model, Model):
        raise BadInput(f"{place}: a plan needs a model whose state is declared, found {type(model).__name__}")
    return ModelCandidate("model" if stored else configuration(place, {})[0], place, model.eval())
