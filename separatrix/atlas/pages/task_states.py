"""What a recurrent model must carry in each task: the section of a task page with its state profile."""

from __future__ import annotations

from typing import Any

from separatrix.atlas.drawn.states import bit_bars, state_lines
from separatrix.atlas.page import Section
from separatrix.bounds.families import form_of
from separatrix.records.task_choices import command_of, counted_task, settings_of

WIDTH, NUMBER = 64, 32  # of the models for comparison: one layer of width 64 in float32


def states_section(name: str, record: dict[str, Any]) -> Section:
    """Bits after each token, drawn, with what they count and how they were computed."""
    task, form = counted_task(name), form_of(name)
    profile, needed, suffice = record["profile"], record["profile"]["bits_at"], record["profile"]["suffice_at"]
    label = f"Bits of state after each token of {name}: {', '.join(map(str, needed))}"
    content = {
        "task": task,
        "settings": settings_of(task),
        "form": form,
        "profile": profile,
        "bars": bit_bars(needed, suffice, label),
        "lines": state_lines(needed, model_states(len(needed)), f"State bits of models beside those of {name}"),
        "outlined": suffice != needed,
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
