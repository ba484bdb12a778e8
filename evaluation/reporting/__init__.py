"""One self-contained HTML page that shows what a measurement found."""
