"""The CRF measured: cross-validated, and without its chain."""
