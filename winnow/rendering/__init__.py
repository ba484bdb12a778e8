"""Pages that scripts write, drawn by a headless browser behind a proxy of its own."""
