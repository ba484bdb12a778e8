/* nearest.py's search, compiled: rows sorted as a trie are walked depth first, and what lies behind
 * a prefix that is too far is jumped over. Distances that are given are summed in TiMBL's order. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../document/_checks.h"

typedef struct {
    Py_ssize_t rows;
    int features, bins, classes;
    const int32_t *row, *count;  /* (rows, features) in trie order, (rows, classes) */
    const uint8_t *shared;       /* (rows,): leading features that a row shares with the one before */
    const int32_t *jump;         /* (features + 1, rows): the next row that shares less than so many */
    const uint8_t *numeric;      /* (features,) in trie order, as the next three */
    const double *weight, *scale;
    const int32_t *order;        /* the features, as places in the trie's order, in TiMBL's order */
} Base;

typedef struct {
    double *distance; /* (bins,), ascending; DBL_MAX where there is none */
    int32_t *count;   /* (bins, classes) */
} Bins;

static inline double cost(const Base *base, const int32_t *row, const int32_t *query, int f) {
    if (row[f] == query[f])
        return 0;
    if (!base->numeric[f])
        return base->weight[f];
    return fabs(((double)query[f] - (double)row[f]) / base->scale[f]) * base->weight[f];
}

static double whole(const Base *base, const int32_t *row, const int32_t *query) {
    double sum = 0;
    for (int i = 0; i < base->features; i++)
        sum += cost(base, row, query, base->order[i]);
    return sum;
}

/* The place among the bins of a distance, bins if it is beyond all; *equal: whether one is there. */
static int place(const Bins *bins, int size, double distance, int *equal) {
    int at = 0;
    *equal = 0;
    for (; at < size; at++) {
        if (fabs(distance - bins->distance[at]) < DBL_EPSILON) {
            *equal = 1;
            break;
        }
        if (distance < bins->distance[at])
            break;
    }
    return at;
}

static void add(const Base *base, const Bins *bins, double distance, const int32_t *count) {
    int equal, last = base->bins - 1, at = place(bins, base->bins, distance, &equal);
    if (at > last)
        return;
    int32_t *mine = bins->count + (Py_ssize_t)INDEX(at, base->bins) * base->classes;
    if (!equal) {
        memmove(bins->distance + at + 1, bins->distance + at, sizeof(double) * (size_t)(last - at));
        memmove(mine + base->classes, mine, sizeof(int32_t) * (size_t)(last - at) * (size_t)base->classes);
        bins->distance[at] = distance;
        memset(mine, 0, sizeof(int32_t) * (size_t)base->classes);
    }
    for (int i = 0; i < base->classes; i++)
        mine[i] += count[i];
}

static void clear(const Base *base, const Bins *bins) {
    for (int i = 0; i < base->bins; i++)
        bins->distance[i] = DBL_MAX;
    memset(bins->count, 0, sizeof(int32_t) * (size_t)base->bins * (size_t)base->classes);
}

enum { AROUND = 24 };

/* A distance beyond which nothing is wanted, from the rows next to where the query would stand. */
static double bound(const Base *base, const Bins *bins, const int32_t *query) {
    Py_ssize_t low = 0, high = base->rows;
    while (low < high) {
        Py_ssize_t middle = (low + high) / 2;
        const int32_t *row = base->row + middle * base->features;
        int f = 0;
        while (f < base->features && row[f] == query[f])
            f++;
        if (f < base->features && row[f] < query[f])
            low = middle + 1;
        else
            high = middle;
    }
    const Py_ssize_t first = low > AROUND ? low - AROUND : 0;
    const Py_ssize_t last = low + AROUND < base->rows ? low + AROUND : base->rows;
    clear(base, bins);
    for (Py_ssize_t i = first; i < last; i++)
        add(base, bins, whole(base, base->row + i * base->features, query), base->count + i * base->classes);
    return bins->distance[base->bins - 1];
}

static inline double with_slack(double distance) {
    return distance < DBL_MAX / 2 ? distance * (1 + 1e-9) + 1e-12 : DBL_MAX;
}

/* Whether it came to an end: a jump that does not lead forward ends it. */
static int search(const Base *base, const Bins *bins, const int32_t *query, double *partial) {
    double limit = with_slack(bound(base, bins, query));
    clear(base, bins);
    partial[0] = 0;
    int shared = 0;
    for (Py_ssize_t i = 0; i < base->rows;) {
        const int32_t *row = base->row + i * base->features;
        int f = base->shared[i] < shared ? base->shared[i] : shared;
        for (; f < base->features; f++) {
            partial[f + 1] = partial[f] + cost(base, row, query, f);
            if (partial[f + 1] > limit)
                break;
        }
        if (f < base->features) {
            shared = f;
            const Py_ssize_t next = base->jump[(Py_ssize_t)INDEX(f + 1, base->features + 1) * base->rows + i];
            if (next <= i || next > base->rows)
                return 0;
            i = next;
            continue;
        }
        shared = f;
        add(base, bins, whole(base, row, query), base->count + i * base->classes);
        const double furthest = with_slack(bins->distance[base->bins - 1]);
        limit = furthest < limit ? furthest : limit;
        i++;
    }
    return 1;
}

/* Whether all arrays have the lengths that the numbers of rows, features, bins and classes ask for. */
static int has_lengths(const Base *base, const Py_buffer *b, Py_ssize_t queries) {
    const Py_ssize_t features = base->features, rows = base->rows;
    const Py_ssize_t lengths[11] = {4 * rows * features, 4 * rows * base->classes, rows, 4 * rows * (features + 1),
                                    features, 8 * features, 8 * features, 4 * features, 4 * queries * features,
                                    8 * queries * base->bins, 4 * queries * base->bins * base->classes};
    for (int i = 0; i < 11; i++)
        if (b[i].len != lengths[i])
            return 0;
    return all_within(base->order, features, 0, features - 1);
}

static PyObject *nearest(PyObject *self, PyObject *args) {
    Py_buffer b[11];
    Base base;
    if (!PyArg_ParseTuple(args, "iiiy*y*y*y*y*y*y*y*y*w*w*", &base.features, &base.bins, &base.classes, &b[0],
                          &b[1], &b[2], &b[3], &b[4], &b[5], &b[6], &b[7], &b[8], &b[9], &b[10]))
        return NULL;
    base.row = b[0].buf, base.count = b[1].buf, base.shared = b[2].buf, base.jump = b[3].buf;
    base.numeric = b[4].buf, base.weight = b[5].buf, base.scale = b[6].buf, base.order = b[7].buf;
    base.rows = b[2].len;
    const int32_t *query = b[8].buf;
    const int is_whole = base.features > 0 && base.bins > 0 && base.classes > 0;
    const Py_ssize_t queries = is_whole ? b[8].len / 4 / base.features : 0;
    int fits = !demand(is_whole && has_lengths(&base, b, queries), "arrays that do not fit");
    double *partial = fits ? malloc(sizeof(double) * (size_t)(base.features + 1)) : NULL;
    if (partial) {
        Py_BEGIN_ALLOW_THREADS;
        for (Py_ssize_t i = 0; i < queries && fits; i++) {
            const Bins bins = {(double *)b[9].buf + i * base.bins,
                               (int32_t *)b[10].buf + i * base.bins * base.classes};
            fits = search(&base, &bins, query + i * base.features, partial);
        }
        Py_END_ALLOW_THREADS;
    }
    for (int i = 0; i < 11; i++)
        PyBuffer_Release(&b[i]);
    if (!partial)
        return PyErr_Occurred() ? NULL : PyErr_NoMemory();
    free(partial);
    if (demand(fits, "a jump that leads nowhere"))
        return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef METHODS[] = {
    {"nearest", nearest, METH_VARARGS, "nearest.Base.nearest, compiled."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_nearest", NULL, -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__nearest(void) {
    return PyModule_Create(&MODULE);
}
