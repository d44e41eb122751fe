"""Published model types by name: what each carries, sees, can at most recall, and cannot track at any size."""

from __future__ import annotations

from separatrix.atlas.page import Page, Section
from separatrix.atlas.pages.map import GROUP
from separatrix.ledger.published import LENGTHS, SYMBOL_BITS, published

PATH, TITLE = "published.html", "Published model types"
LEAD = (
    "Model types of the transformers library at the default sizes of their config class, in bfloat16. A limit holds for any weights of "
    "that shape: it counts the pasts that the state can tell apart, and says nothing of what training reaches."
)


def published_page() -> Page:
    """published.html: those whose memory is bounded first, then those whose memory grows with the input."""
    every = published()
    content = {"lengths": LENGTHS, "symbol_bits": SYMBOL_BITS}
    bounded = [one for one in every if one.lookup is not None]
    growing = [one for one in every if one.lookup is None]
    return Page(
        PATH,
        TITLE,
        TITLE,
        GROUP,
        LEAD,
        (
            Section("bounded", f"{len(bounded)} types with bounded memory", "published.html", {**content, "types": bounded}),
            Section("growing", f"{len(growing)} types whose memory grows", "published.html", {**content, "types": growing}),
        ),
    )
