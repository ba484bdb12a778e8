"""The methods again, as plainly as their papers define them: no speed, nothing of Winnow's own.

``python -m tests.definitions`` compares Winnow's answers with these.
"""
