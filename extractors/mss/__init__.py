"""Maximum subsequence segmentation with learned scores (Pasternack & Roth 2009, section 6.2)."""
