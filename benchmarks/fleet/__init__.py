"""How many Winnows so many readers need, which wall comes first and what it costs, simulated."""
