"""Pages as Orca speaks them: the screen reader, two browsers, and what they say in writing."""
