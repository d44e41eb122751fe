"""How many states a recurrent model must tell apart: counted, or in closed form."""
