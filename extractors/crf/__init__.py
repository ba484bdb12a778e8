"""Blocks labelled by a linear-chain conditional random field (Victor, CleanEval 2007)."""
