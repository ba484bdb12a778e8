"""Links, images, tables and the like of gold regions that reader pages keep or lose."""
