"""One module a command: ``declare(parser)`` adds its arguments and sets ``run``.

``run(arguments)`` returns the exit code or raises an error of one of the packages' error trees.
"""
