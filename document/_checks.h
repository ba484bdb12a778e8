/* Checks of the arrays that compiled loops are given. What does not fit is a ValueError: the caller then lets the
 * definition in Python do the work (document/compiled.py). Indexes that follow from what was checked are asserted,
 * in builds without NDEBUG (make sanitize). */
#ifndef WINNOW_CHECKS_H
#define WINNOW_CHECKS_H
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <assert.h>
#include <stdint.h>

/* An index of something of that size; asserted. */
#define INDEX(i, size) (assert((i) >= 0 && (i) < (size)), (i))

/* Whether all numbers are within low..high, both included. */
static inline int all_within(const int32_t *values, Py_ssize_t count, Py_ssize_t low, Py_ssize_t high) {
    int outside = 0;
    for (Py_ssize_t i = 0; i < count; i++)
        outside |= values[i] < low || values[i] > high;
    return !outside;
}

/* Whether each start..end is a stretch of something of that size. */
static inline int all_stretches(const int32_t *starts, const int32_t *ends, Py_ssize_t count, Py_ssize_t size) {
    int outside = 0;
    for (Py_ssize_t i = 0; i < count; i++)
        outside |= starts[i] < 0 || ends[i] < starts[i] || ends[i] > size;
    return !outside;
}

/* Whether numbers within 0..size never become smaller. */
static inline int is_ascending(const int32_t *values, Py_ssize_t count, Py_ssize_t size) {
    int outside = 0;
    for (Py_ssize_t i = 0; i < count; i++)
        outside |= values[i] < (i ? values[i - 1] : 0) || values[i] > size;
    return !outside;
}

/* 0 if it holds, else -1 and a ValueError. */
static inline int demand(int holds, const char *what) {
    if (!holds)
        PyErr_SetString(PyExc_ValueError, what);
    return holds ? 0 : -1;
}

#endif
