"""What learning a site's layout costs, and how much its constants matter."""
