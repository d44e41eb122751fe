"""What a model of a given size cannot do: state profiles, communication, protocols, ceilings, explicit bounds."""

from __future__ import annotations

from separatrix.bounds.accuracy.ceiling import Ceiling, accuracy_ceiling, least_state_bits
from separatrix.bounds.communication.matrix import CommunicationFacts, CommunicationMatrix, FoolingSet, communication_matrix
from separatrix.bounds.communication.partitions import HardestPartition, hardest_partition
from separatrix.bounds.communication.reductions import REDUCTIONS, Reduction, check_reduction
from separatrix.bounds.families import BOUNDS, ClosedForm, TaskBounds, form_of
from separatrix.bounds.limits import binding_length, bounds_for, task_ceiling, task_profile
from separatrix.bounds.lower import CountedProfile, FoolingInputs, LowerBound, Precision, Witness
from separatrix.bounds.protocols.collision import StateCollision, TranscriptCollision, state_collision, tables_of, transcript_collision
from separatrix.bounds.protocols.float_model import FloatModel, float_model
from separatrix.bounds.protocols.float_protocol import FloatProtocolCost, FloatProtocolRun, float_protocol_cost, run_float_protocol
from separatrix.bounds.protocols.protocol import OneLayerModel, ProtocolCost, ProtocolRun, one_layer_model, protocol_cost, run_protocol
from separatrix.bounds.states.automaton import LayeredAutomaton, layered_automaton
from separatrix.bounds.states.profile import StateProfile, profile_of_oracle, profile_of_table, state_profile
from separatrix.bounds.states.time_invariant import CoverAutomaton, minimal_automaton

__all__ = [
    "BOUNDS",
    "REDUCTIONS",
    "Ceiling",
    "ClosedForm",
    "CommunicationFacts",
    "CommunicationMatrix",
    "CountedProfile",
    "CoverAutomaton",
    "FloatModel",
    "FloatProtocolCost",
    "FloatProtocolRun",
    "FoolingInputs",
    "FoolingSet",
    "HardestPartition",
    "LayeredAutomaton",
    "LowerBound",
    "OneLayerModel",
    "Precision",
    "ProtocolCost",
    "ProtocolRun",
    "Reduction",
    "StateCollision",
    "StateProfile",
    "TaskBounds",
    "TranscriptCollision",
    "Witness",
    "accuracy_ceiling",
    "binding_length",
    "bounds_for",
    "check_reduction",
    "communication_matrix",
    "float_model",
    "float_protocol_cost",
    "form_of",
    "hardest_partition",
    "layered_automaton",
    "least_state_bits",
    "minimal_automaton",
    "one_layer_model",
    "profile_of_oracle",
    "profile_of_table",
    "protocol_cost",
    "run_float_protocol",
    "run_protocol",
    "state_collision",
    "state_profile",
    "tables_of",
    "task_ceiling",
    "task_profile",
    "transcript_collision",
]
