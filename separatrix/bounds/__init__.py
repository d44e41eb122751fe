"""What a model of a given size cannot do: state profiles, communication, protocols, ceilings, explicit bounds."""

from __future__ import annotations

from separatrix.bounds.accuracy.ceiling import Ceiling, accuracy_ceiling, least_state_bits
from separatrix.bounds.accuracy.ceiling_forms import ceiling_form
from separatrix.bounds.communication.matrix import CommunicationFacts, CommunicationMatrix, FoolingSet, communication_matrix
from separatrix.bounds.communication.partitions import HardestPartition, hardest_partition
from separatrix.bounds.communication.reductions import REDUCTIONS, Reduction, check_reduction
from separatrix.bounds.explicit import LowerBound, binding_length, bounds_for
from separatrix.bounds.protocols.collision import StateCollision, TranscriptCollision, state_collision, tables_of, transcript_collision
from separatrix.bounds.protocols.float_model import FloatModel, float_model
from separatrix.bounds.protocols.float_protocol import FloatProtocolCost, FloatProtocolRun, float_protocol_cost, run_float_protocol
from separatrix.bounds.protocols.protocol import OneLayerModel, ProtocolCost, ProtocolRun, one_layer_model, protocol_cost, run_protocol
from separatrix.bounds.states.automaton import LayeredAutomaton, layered_automaton
from separatrix.bounds.states.closed_forms import CLOSED_FORMS, ClosedForm, closed_form
from separatrix.bounds.states.profile import StateProfile, profile_of_oracle, profile_of_table, state_profile
from separatrix.bounds.states.time_invariant import Automaton, minimal_automaton

__all__ = [
    "CLOSED_FORMS",
    "REDUCTIONS",
    "Automaton",
    "Ceiling",
    "ClosedForm",
    "CommunicationFacts",
    "CommunicationMatrix",
    "FloatModel",
    "FloatProtocolCost",
    "FloatProtocolRun",
    "FoolingSet",
    "HardestPartition",
    "LayeredAutomaton",
    "LowerBound",
    "OneLayerModel",
    "ProtocolCost",
    "ProtocolRun",
    "Reduction",
    "StateCollision",
    "StateProfile",
    "TranscriptCollision",
    "accuracy_ceiling",
    "binding_length",
    "bounds_for",
    "ceiling_form",
    "check_reduction",
    "closed_form",
    "communication_matrix",
    "float_model",
    "float_protocol_cost",
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
    "transcript_collision",
]
