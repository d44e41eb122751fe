"""`Construction`: the declaration of a construction: its statement, its task, the sizes it is verified at, and its costs. No torch here.

Every module of constructions/ ends in such a declaration for each of its constructions. Tables, listings and laws read it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from separatrix.architectures import Architecture, Mode
from separatrix.errors import BadInput
from separatrix.parameters import Parameter, parameters, typed_values
from separatrix.tasks import Task

if TYPE_CHECKING:
    from separatrix.certificates.built import Built

Settings = Mapping[str, Any]
TASK = "task"  # the first parameter of every `build`
LONGEST_BUILT = 1 << 26  # tokens: every position has its address in a table, and one example is drawn to see where answers are due


@dataclass(frozen=True)
class Sizes(Mapping[str, int]):
    """The sizes of a built model, from a formula, without building weights. Also a mapping from names to those numbers that exist."""

    layers: int
    heads: int  # of the layer with most heads
    width: int  # numbers of the stream for each token
    precision_bits: int  # of one number
    value_width: int | None = None  # the most that one head reads; bounds on one layer are about heads times this
    state_bits: int | None = None  # bits that cross a cut, of a recurrent model

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
    """Weights for a task, with the statement that they prove.

    `build` takes a task and settings of its own, such as `address` and `arithmetic`. The parameters of the construction are
    those of the task and these settings.
    """

    name: str
    computes: type[Task]
    architecture: Architecture
    build: Callable[..., Built]
    formula: Callable[..., Sizes]  # takes the arguments of `build`, and refuses what it refuses
    quick: tuple[Settings, ...]  # what `verify --all` builds
    cites: str = ""  # the key of a statement, if it proves one
    mode: Mode = Mode.ALONE  # whether it writes a chain of thought, or searches its text
    variants: tuple[Settings, ...] = ({},)  # settings that a table of sizes compares
    default_length: int = 64  # what `verify NAME` builds
    defaults: Settings = field(default_factory=dict)  # of task parameters, if they differ from the task's own
    fixed: tuple[str, ...] = ()  # task parameters that stay at the task's default
    extended: tuple[str, ...] = ()  # the task's extensions that it takes; the others stay at their default
    ignores: tuple[str, ...] = ()  # those of `fixed` that only choose which inputs are drawn
    chain: str = ""  # the tokens of its chain of thought, as a formula; empty if it writes none
    sees_all: bool = False  # whether tokens before the last read later ones, so that no causal model has these weights
    shape: str = ""  # the model by name whose unchanged shape it fills; empty if it has a shape of its own
    paper_says: str = ""  # the sizes that the statement gives

    @property
    def task(self) -> str:
        """The name of the task."""
        return self.computes.name

    @property
    def unchosen(self) -> tuple[str, ...]:
        """The task's parameters that stay at their default."""
        return (*self.fixed, *(name for name in self.computes.extensions if name not in self.extended))

    @property
    def parameters(self) -> dict[str, Parameter]:
        """All parameters: the task's, then the construction's own settings."""
        of_task = {name: parameter for name, parameter in parameters(self.computes).items() if name not in self.unchosen}
        for name, value in self.defaults.items():
            of_task[name] = replace(of_task[name], default=value, required=False)
        return {**of_task, **self.settings}

    @property
    def settings(self) -> dict[str, Parameter]:
        """The construction's own settings."""
        return {name: parameter for name, parameter in parameters(self.build).items() if name != TASK}

    def __call__(self, **chosen: Any) -> Built:
        """The weights, with parameters as values or as text."""
        values = self._values(chosen)
        task = self._task(values)
        if task.token_count > LONGEST_BUILT:
            raise BadInput(f"{self.name}: weights are built for at most {LONGEST_BUILT:,} tokens, found {task.token_count:,}")
        return self.build(task, **self._own(values))

    def task_at(self, **chosen: Any) -> Task:
        """What it computes at these parameters, without any weights."""
        return self._task(self._values(chosen))

    def sizes(self, task_parameters: Settings, settings: Settings | None = None, arithmetic: str | None = None) -> Sizes | None:
        """The sizes for a task with these parameters in this arithmetic; None if it cannot be built."""
        of_task = parameters(self.computes)
        for name, value in task_parameters.items():
            if name not in of_task:
                raise BadInput(f"task {self.task} has no parameter {name!r}: expected one of {', '.join(of_task)}")
            if name in self.unchosen and name not in self.ignores and value != of_task[name].default:
                return None  # it computes a different task
        values_by_name = {name: value for name, value in task_parameters.items() if name not in self.unchosen} | dict(settings or {})
        if arithmetic is not None and "arithmetic" in self.settings:  # registers hold bits, in any arithmetic
            values_by_name["arithmetic"] = arithmetic
        values = self._values(values_by_name)
        try:
            return self.formula(self._task(values), **self._own(values))
        except BadInput:
            return None

    def narrowest(self, task_parameters: Settings, arithmetic: str | None = None) -> tuple[Settings, Sizes] | None:
        """The variant of least width, with its sizes; None if no variant can be built."""
        possible = [(settings, self.sizes(task_parameters, settings, arithmetic)) for settings in self.variants]
        built = [(settings, sizes) for settings, sizes in possible if sizes is not None]
        return min(built, key=lambda variant: variant[1].width, default=None)

    def _values(self, chosen: Settings) -> dict[str, Any]:
        """A value for every parameter, converted to its type."""
        values = typed_values(self.parameters, chosen, f"construction {self.name}")
        return {name: parameter.default for name, parameter in self.parameters.items() if not parameter.required} | values

    def _task(self, values: Settings) -> Task:
        return self.computes(**{name: value for name, value in values.items() if name not in self.settings})

    def _own(self, values: Settings) -> dict[str, Any]:
        return {name: value for name, value in values.items() if name in self.settings}
