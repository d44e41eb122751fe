"""What an architecture carries from token to token, as a picture: a vector, a matrix, or the keys and values of every token."""

from __future__ import annotations

from markupsafe import Markup

from separatrix.architectures import RECURRENT_KINDS, Architecture
from separatrix.atlas.drawn.strip import BOX, PITCH, bar, box, line, note, picture

MATRICES = (
    Architecture.LINEAR_ATTENTION, Architecture.RETNET, Architecture.MAMBA2, Architecture.DELTANET, Architecture.DELTANET_NEGATIVE,
    Architecture.GATED_DELTANET, Architecture.DELTAPRODUCT,
)  # fmt: skip
TOKENS, SHORT, SEEN = 6, 6, 3  # tokens that are drawn, the height of an entry, and tokens inside a window


def grows(one: Architecture) -> bool:
    """Whether what it carries grows with the input."""
    return one is not Architecture.RECURRENT and one not in RECURRENT_KINDS and one is not Architecture.WINDOW


def state_picture(one: Architecture) -> Markup:
    """Tokens from left to right, and below each what is carried after it."""
    parts: list[Markup] = []
    base = BOX + 62
    fixed = one is Architecture.RECURRENT or one in RECURRENT_KINDS
    for t in range(TOKENS):
        parts.append(box(t, 0, f"x{t + 1}"))
        columns = 3 if one in MATRICES else 1
        for row in range(4 if fixed else min(t + 1, SEEN if one is Architecture.WINDOW else TOKENS)):
            for column in range(columns if fixed else 2):
                offset = (column - ((columns if fixed else 2) - 1) / 2) * 0.2
                parts.append(bar(t + offset, base - row * (SHORT + 2), SHORT, "mark", width=SHORT))
        if t:
            y = base - 12
            parts.append(line((PITCH * t - 8, y), (PITCH * t + 8, y)))
    kind = (
        "a matrix of fixed size"
        if one in MATRICES
        else "numbers, as many at every token"
        if fixed
        else "keys and values, more at every token"
    )
    if one is Architecture.WINDOW:
        kind = "keys and values of the last few tokens"
    parts.append(note(TOKENS, base - 8, kind, "", "start"))
    label = f"{one.heading}: carried from token to token: {kind}"
    return picture(parts, TOKENS + 7, -4, base + 12, label)
