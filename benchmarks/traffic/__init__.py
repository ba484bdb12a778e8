"""Benchmarks of what proxies do with requests: CPU, requests a second, latency, start, memory."""
