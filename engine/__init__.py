"""What a worker process does with a page: bytes in, a rendering or a result out."""
