"""What a recurrent model must carry in each task: the section of a task page with its state profile."""

from __future__ import annotations

from separatrix.atlas.drawn.states import bit_bars
from separatrix.atlas.page import Section
from separatrix.atlas.task_choices import command_of, counted_task, settings_of
from separatrix.bounds.closed_forms import form_of
from separatrix.bounds.profile import ceil_log2
from separatrix.bounds.task_profile import task_profile

SEVERAL = ("eq-ncp",)  # several tokens are scored, and a profile counts one answer at the end


def states_section(name: str) -> Section:
    """Bits after each token, drawn, with what they count and how they were found."""
    task, form = counted_task(name), form_of(name)
    content = {"task": task, "settings": settings_of(task), "form": form, "profile": None}
    if name not in SEVERAL:
        profile = task_profile(task)
        upper = [ceil_log2(count) for count in profile.classes_upper]
        label = f"Bits of state after each token of {name}: {', '.join(map(str, profile.bits_at))}"
        content |= {
            "profile": profile,
            "bars": bit_bars(profile.bits_at, upper, label),
            "outlined": upper != [*profile.bits_at],
            "command": command_of("profile", task),
        }
    return Section("states", "What a recurrent model must carry", "task_states.html", content, short="State")
