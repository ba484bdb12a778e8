"""Pictures for the README, made by ``make screenshots``; nothing here is installed."""
