"""What a model of a given size cannot do: state profiles, communication, protocols, ceilings, explicit bounds."""

from __future__ import annotations

from separatrix.bounds.profile import StateProfile, profile_of_oracle, profile_of_table, state_profile

__all__ = ["StateProfile", "profile_of_oracle", "profile_of_table", "state_profile"]
