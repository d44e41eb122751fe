"""The atlas: papers, certificates and rows as one set of static pages. It reads; nothing is decided here."""

from __future__ import annotations

from separatrix.atlas.write import write_atlas

__all__ = ["write_atlas"]
