"""Extraction of corpora on one or many machines (``winnow extract --batch``)."""
