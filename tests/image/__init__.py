"""The container's image, truly built and run (``make image-test``)."""
