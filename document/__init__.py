"""A page as a document: decoding, parsing, text, elements, metadata; ``render`` shows it."""
