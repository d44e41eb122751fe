"""What a model of a given size cannot do: state profiles, communication, protocols, ceilings, explicit bounds."""

from __future__ import annotations

from separatrix.bounds.automaton import LayeredAutomaton, layered_automaton
from separatrix.bounds.profile import StateProfile, profile_of_oracle, profile_of_table, state_profile
from separatrix.bounds.time_invariant import Automaton, minimal_automaton

__all__ = [
    "Automaton",
    "LayeredAutomaton",
    "StateProfile",
    "layered_automaton",
    "minimal_automaton",
    "profile_of_oracle",
    "profile_of_table",
    "state_profile",
]
