"""The application: dispatches each request to forwarding, a tunnel or a page of our own."""
