"""How an answer is read: kind -> the class of the decoder. No torch here."""

DECODERS = {
    "position": "separatrix.models.decoders.position:Position",
    "positions": "separatrix.models.decoders.position:Positions",
    "greedy": "separatrix.models.decoders.greedy:Greedy",
    "rounding": "separatrix.models.decoders.rounding:Rounding",
}
