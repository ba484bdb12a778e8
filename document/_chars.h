/* Looking for one ASCII character in a Python string of any width. */
#ifndef WINNOW_CHARS_H
#define WINNOW_CHARS_H
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <string.h>

#define ALWAYS_INLINE static inline __attribute__((always_inline))

/* Where an ASCII character stands first in data[from:size]; size if nowhere. A wide character that is ASCII is one
 * such byte among zeros, and bytes are what the C library finds fastest. */
ALWAYS_INLINE Py_ssize_t find_char(int kind, const void *data, Py_ssize_t from, Py_ssize_t size, Py_UCS4 wanted) {
    const char *const bytes = data;
    while (from < size) {
        const char *found = memchr(bytes + from * kind, (int)wanted, (size_t)((size - from) * kind));
        if (!found)
            return size;
        from = (found - bytes) / kind;
        if (PyUnicode_READ(kind, data, from) == wanted)
            return from;
        from++;
    }
    return size;
}

/* Where the attribute that may begin behind the blank data[at] has its name's end, value and value's end, as
 * document/parsing/start_tags.py defines it (_ATTRIBUTE); 0 if none does. */
ALWAYS_INLINE int attribute_behind(int kind, const void *data, Py_ssize_t at, Py_ssize_t end, Py_ssize_t *name_end,
                                   Py_ssize_t *value, Py_ssize_t *close) {
    Py_ssize_t stop = at + 1 + (at + 1 < end && PyUnicode_READ(kind, data, at + 1) == '=');
    for (; stop < end; stop++) {
        const Py_UCS4 c = PyUnicode_READ(kind, data, stop);
        if (c == '=' || c == '>' || c == ' ' || (c >= 9 && c <= 13 && c != 11))
            break;
    }
    if (stop == at + 1 || stop + 1 >= end || PyUnicode_READ(kind, data, stop) != '=' ||
        PyUnicode_READ(kind, data, stop + 1) != '"')
        return 0;
    *name_end = stop;
    *value = stop + 2;
    *close = find_char(kind, data, stop + 2, end, '"');
    return *close < end;
}

#endif
