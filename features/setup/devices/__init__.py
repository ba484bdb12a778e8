"""What lets phones and other devices of the network in: password, code, profile."""
