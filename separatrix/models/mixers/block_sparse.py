"""Block-sparse attention: near tokens, and a few tokens at the end of every block.

[yang2024 Equation 6]
"""

from __future__ import annotations

from separatrix.models.masks import BlockSparse
from separatrix.models.mixers.attention import AttentionConfig, trained_heads


def block_sparse(width: int, heads: int = 4, block: int = 8, local: int = 1, ends: int = 1) -> AttentionConfig:
    """Softmax attention to the last `local` blocks of `block` tokens and to the last `ends` tokens of every block."""
    return trained_heads(width, heads, BlockSparse(block, local, ends))
