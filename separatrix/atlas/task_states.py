"""What a recurrent model must carry in each task: the section of a task page with its state profile."""

from __future__ import annotations

from separatrix.atlas.drawn.states import bit_bars, state_lines
from separatrix.atlas.page import Section
from separatrix.atlas.task_choices import command_of, counted_task, settings_of
from separatrix.bounds.families import form_of
from separatrix.bounds.limits import task_profile
from separatrix.bounds.states.profile import ceil_log2

WIDTH, NUMBER = 64, 32  # of the models that stand beside: one layer of width 64 in float32


def states_section(name: str) -> Section:
    """Bits after each token, drawn, with what they count and how they were found."""
    task, form = counted_task(name), form_of(name)
    content = {"task": task, "settings": settings_of(task), "form": form}
    profile = task_profile(task)
    upper = [ceil_log2(count) for count in profile.classes_upper]
    label = f"Bits of state after each token of {name}: {', '.join(map(str, profile.bits_at))}"
    content |= {
        "profile": profile,
        "bars": bit_bars(profile.bits_at, upper, label),
        "lines": state_lines(profile.bits_at, model_states(len(profile.bits_at)), f"State bits of models beside those of {name}"),
        "outlined": upper != [*profile.bits_at],
        "command": command_of("profile", task),
    }
    return Section("states", "What a recurrent model must carry", "task_states.html", content, short="State")


def model_states(cuts: int) -> tuple[tuple[str, tuple[int, ...]], ...]:
    """Bits that one-layer models of width 64 carry after t = 0, 1, .. tokens: a vector, two vectors, or keys and values of every token."""
    vector = WIDTH * NUMBER
    return (
        ("gru-1-64", (vector,) * cuts),
        ("lstm-1-64", (2 * vector,) * cuts),
        ("tf-1-64", tuple(2 * vector * t for t in range(cuts))),
    )
