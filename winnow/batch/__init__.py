"""Whole corpora: ``winnow extract --batch``. Many machines may help; knows no HTTP of its own."""
