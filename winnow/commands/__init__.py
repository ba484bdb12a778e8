"""One module for each command: ``declare(parser)`` adds its arguments and sets ``run``.

``run(arguments)`` returns the exit code or raises an error that ``winnow.cli.REPORTED`` lists.
"""
