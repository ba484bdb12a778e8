"""Commands that measure and train: ``winnow evaluate``, ``label`` and ``train``."""
