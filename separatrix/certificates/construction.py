"""What a construction says of itself: its statement, its task, the sizes it is verified at, and what it costs. No torch here.

Every module of constructions/ ends in such a declaration for each construction that it holds. Tables, listings and laws read it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from separatrix.architectures import Architecture
from separatrix.errors import BadInput
from separatrix.parameters import Parameter, parameters, typed_values
from separatrix.tasks import Task

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

Settings = Mapping[str, Any]
TASK = "task"  # the first parameter of every `build`


@dataclass(frozen=True)
class Sizes(Mapping[str, int]):
    """What a built model costs, from a formula: no weights are made. Also a mapping from names to the numbers that there are."""

    layers: int
    heads: int  # of the layer that has most
    width: int  # numbers of the stream for each token
    precision_bits: int  # of one number
    value_width: int | None = None  # the most that one head reads: heads times this is what bounds on one layer speak of
    state_bits: int | None = None  # what crosses a cut, of a recurrent model

    def __getitem__(self, name: str) -> int:
        return self._numbers()[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._numbers())

    def __len__(self) -> int:
        return len(self._numbers())

    def _numbers(self) -> dict[str, int]:
        return {name: value for name, value in asdict(self).items() if value is not None}


@dataclass(frozen=True)
class Construction:
    """Weights for a task, with the statement that says so.

    `build` takes a task and settings of its own, such as `address` and `arithmetic`. The parameters of the construction are
    those of the task and these settings.
    """

    name: str
    cites: str  # the key of a statement, or ""
    computes: type[Task]
    architecture: Architecture
    build: Callable[..., Built]
    formula: Callable[..., Sizes]  # takes what `build` takes, and refuses what it refuses
    quick: tuple[Settings, ...]  # what `verify --all` builds
    variants: tuple[Settings, ...] = ({},)  # settings that a table of sizes compares
    default_length: int = 64  # what `verify NAME` builds
    defaults: Settings = field(default_factory=dict)  # of task parameters, where they are not the task's own
    fixed: tuple[str, ...] = ()  # task parameters that stay at the task's default
    ignores: tuple[str, ...] = ()  # of these, the ones that only choose which inputs are drawn

    @property
    def task(self) -> str:
        """The name of the task that it computes."""
        return self.computes.name

    @property
    def parameters(self) -> dict[str, Parameter]:
        """What can be set: the task's parameters, then settings of the construction."""
        of_task = {name: parameter for name, parameter in parameters(self.computes).items() if name not in self.fixed}
        for name, value in self.defaults.items():
            of_task[name] = replace(of_task[name], default=value)
        return {**of_task, **self.settings}

    @property
    def settings(self) -> dict[str, Parameter]:
        """What can be set beside the task's parameters."""
        return {name: parameter for name, parameter in parameters(self.build).items() if name != TASK}

    def __call__(self, **chosen: Any) -> Built:
        """The weights, with parameters as values or as text."""
        values = self._values(chosen)
        return self.build(self._task(values), **self._own(values))

    def task_at(self, **chosen: Any) -> Task:
        """What it computes at these parameters, without any weights."""
        return self._task(self._values(chosen))

    def sizes(self, task_parameters: Settings, settings: Settings | None = None, arithmetic: str | None = None) -> Sizes | None:
        """What it costs to compute the task with these parameters in this arithmetic; None where it cannot be built."""
        of_task = parameters(self.computes)
        for name, value in task_parameters.items():
            if name not in of_task:
                raise BadInput(f"task {self.task} has no parameter {name!r}: expected one of {', '.join(of_task)}")
            if name in self.fixed and name not in self.ignores and value != of_task[name].default:
                return None  # it computes another task
        chosen = {name: value for name, value in task_parameters.items() if name not in self.fixed} | dict(settings or {})
        if arithmetic is not None and "arithmetic" in self.settings:  # registers hold bits, in any arithmetic
            chosen["arithmetic"] = arithmetic
        values = self._values(chosen)
        try:
            return self.formula(self._task(values), **self._own(values))
        except BadInput:
            return None

    def narrowest(self, task_parameters: Settings, arithmetic: str | None = None) -> tuple[Settings, Sizes] | None:
        """The variant of the least width, with its sizes; None where no variant can be built."""
        possible = [(settings, self.sizes(task_parameters, settings, arithmetic)) for settings in self.variants]
        built = [(settings, sizes) for settings, sizes in possible if sizes is not None]
        return min(built, key=lambda variant: variant[1].width, default=None)

    def _values(self, chosen: Settings) -> dict[str, Any]:
        """A value for every parameter, in its type."""
        values = typed_values(self.parameters, chosen, f"construction {self.name}")
        return {name: parameter.default for name, parameter in self.parameters.items() if not parameter.required} | values

    def _task(self, values: Settings) -> Task:
        return self.computes(**{name: value for name, value in values.items() if name not in self.settings})

    def _own(self, values: Settings) -> dict[str, Any]:
        return {name: value for name, value in values.items() if name in self.settings}
