"""The state of a training run: step, weights, optimiser. Data order and dropout follow from seed and step."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from torch import Tensor, nn
from torch.optim import Optimizer

from separatrix.errors import BadInput


@dataclass(frozen=True)
class Progress:
    """The progress of a run, apart from its tensors."""

    step: int = 0  # updates made
    loss_sum: float = 0.0  # since the last row with the training loss
    best: float = -1.0  # validation accuracy
    validations_since_best: int = 0
    finished: bool = False


@dataclass(frozen=True)
class Snapshot:
    """Everything needed to resume as if the run had not been interrupted."""

    progress: Progress
    weights: dict[str, Tensor]
    moments: dict[str, Tensor]  # of the optimiser: "<number of the parameter>.<name>"


def take(model: nn.Module, optimiser: Optimizer, progress: Progress) -> Snapshot:
    """A copy of the current state."""
    weights = {name: tensor.detach().clone() for name, tensor in model.state_dict().items()}
    state: Mapping[int, Mapping[str, Tensor]] = optimiser.state_dict()["state"]
    moments = {f"{index}.{name}": tensor.detach().clone() for index, entry in state.items() for name, tensor in entry.items()}
    return Snapshot(progress, weights, moments)


def put_back(snapshot: Snapshot, model: nn.Module, optimiser: Optimizer) -> None:
    """Restore model and optimiser."""
    try:
        model.load_state_dict(snapshot.weights)
        state: dict[int, dict[str, Tensor]] = {}
        for key, tensor in snapshot.moments.items():
            index, _, name = key.partition(".")
            state.setdefault(int(index), {})[name] = tensor.clone()
        optimiser.load_state_dict({"state": state, "param_groups": optimiser.state_dict()["param_groups"]})
    except (RuntimeError, ValueError, KeyError) as error:
        raise BadInput(f"the snapshot does not fit the model: {' '.join(str(error).split())[:200]}") from error
