"""A headless Chromium: its process, its sandbox, and pages that it loads."""
