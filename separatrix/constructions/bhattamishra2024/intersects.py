"""Whether two sets share an element, as a threshold of N/2 features over two bits.

[bhattamishra2024 Theorem 13; discussion in F.3] [bhattamishra2024 Remark 15]

Feature i is x_i and x_(N/2 + i), and more than 0 of them hold exactly where the sets meet. Every feature looks at two bits and the
places after N/2 have none, so nothing needs to stand for a missing bit: there is no token of beginning.
"""

from __future__ import annotations

from separatrix.certificates.claim import Built
from separatrix.constructions.bhattamishra2024.sparse_threshold import Address, threshold_of
from separatrix.tasks.intersects import Intersects
from separatrix.tasks.sparse_threshold import Feature


def intersects(length: int, address: Address = "binary", residual: bool = False, arithmetic: str = "float64") -> Built:
    """Two layers, three heads and then one: max over i of x_i x_(N/2 + i)."""
    task = Intersects(length)
    both = [Feature((i, length // 2 + i), (0, 0, 0, 1)) for i in range(1, length // 2 + 1)]
    return threshold_of(task, both, k=2, b=0, start=0, address=address, residual=residual, arithmetic=arithmetic)
