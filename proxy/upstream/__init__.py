"""The one client that fetches from origins: lenient in what it reads, strict in what it sends."""
