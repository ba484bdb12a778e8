"""What stands between the proxy and the worker pool, besides the caches."""
