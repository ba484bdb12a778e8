"""What a page is and what can be said of it. Knows neither HTTP nor methods."""
