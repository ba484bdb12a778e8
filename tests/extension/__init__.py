"""The browser extension in Chromium and in Firefox."""
