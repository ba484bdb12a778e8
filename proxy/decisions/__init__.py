"""Pure decisions over requests and replies: values in, values out, no effect."""
