"""Decoders, which read a model's answer: kind -> class. No torch here."""

DECODERS = {
    "position": "separatrix.models.decoders.position:Position",
    "positions": "separatrix.models.decoders.position:Positions",
    "greedy": "separatrix.models.decoders.greedy:Greedy",
    "retrieval": "separatrix.models.decoders.retrieval:Retrieval",
    "rounding": "separatrix.models.decoders.rounding:Rounding",
}
