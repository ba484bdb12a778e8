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

#endif
