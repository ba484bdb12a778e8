"""Text as sound."""
