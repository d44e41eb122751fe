"""What a model of a given size cannot do: state profiles, communication, protocols, ceilings, explicit bounds."""
