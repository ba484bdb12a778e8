"""``layout``: what the pages of a site share, learned without an example (Webstemmer)."""
