"""How many states a recurrent model must distinguish: counted, or in closed form."""
