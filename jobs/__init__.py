"""What crosses the process boundary: worker pool, codec, results, quality limits."""
