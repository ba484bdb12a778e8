"""Events of the proxy's work, and their observers: metrics, log, activity."""
