"""Vision-based page segmentation over the boxes that a browser gives a page."""
