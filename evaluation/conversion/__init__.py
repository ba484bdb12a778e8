"""Other people's gold, as they publish it, made into test packages."""
