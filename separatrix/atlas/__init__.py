"""The atlas: papers, certificates and rows as one set of static pages. It only reads and renders."""

from __future__ import annotations

from separatrix.atlas.write import write_atlas

__all__ = ["write_atlas"]
