"""The pages of our own: router, controller, handlers and templates."""
