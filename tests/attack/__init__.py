"""The attack suite: attempts to get past Winnow, made from outside over sockets."""
