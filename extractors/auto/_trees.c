/* Walking trees (extractors/auto/trees.py), compiled.
 *
 * That file is the definition; what is found here is tested equal to it, bit by bit. Rows are taken a TILE at a time, so
 * that their features stay in the nearest cache. A row does not walk down a tree: each of the tree's splits is compared
 * with TILE rows at once and strikes out, where a row goes right, the leaves on the left. The first leaf that is left is
 * the row's own (Lucchese et al. 2015, QuickScorer). Trees of more than MOST leaves are walked down.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../document/_checks.h"

/* Compiled for three widths of vectors, of which the C library chooses as the processor has them. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__) && defined(__GLIBC__)
#define EACH_WIDTH __attribute__((target_clones("avx512f", "avx2", "default")))
#else
#define EACH_WIDTH
#endif

typedef struct {
    float threshold; /* of a leaf: infinite */
    uint16_t feature, left; /* left: counted from the root; right is the next; a leaf is its own left */
} Node;

enum { ABREAST = 16, TILE = 32, MOST = 32 };

typedef struct {
    float threshold;
    uint32_t feature, left; /* left: a bit for each leaf on the left */
} Split;

typedef struct {
    const Node *node;
    const float *value; /* of each node; only a leaf's counts */
    const int32_t *root, *depth;
    Py_ssize_t trees;
    Split *split;    /* of all trees; NULL where one has more than MOST leaves, or nodes with two parents */
    int32_t *behind; /* each tree's last split, and one more */
    double *leaf;    /* MOST of each tree, from left to right */
} Forest;

/* Lets ABREAST rows walk down one tree, so that none of them waits for another's memory. */
static void walk(const Node *node, const float *value, int32_t depth, const float *tile, double *sums) {
    uint32_t at[ABREAST] = {0};
    for (int32_t step = 0; step < depth; step++)
        for (int row = 0; row < ABREAST; row++) {
            const Node *here = node + at[row];
            at[row] = (uint32_t)here->left + (tile[here->feature * TILE + row] > here->threshold);
        }
    for (int row = 0; row < ABREAST; row++)
        sums[row] += value[at[row]];
}

typedef float Values __attribute__((vector_size(4 * ABREAST)));
typedef int32_t Bits __attribute__((vector_size(4 * ABREAST)));

/* Adds the leaf of each tree that each row of a tile falls into. */
EACH_WIDTH static void add_leaves(const Split *split, const int32_t *behind, const double *leaf, Py_ssize_t trees,
                                  const float *tile, double *sums) {
    for (Py_ssize_t tree = 0; tree < trees; tree++, leaf += MOST) {
        Bits left[TILE / ABREAST];
        for (int half = 0; half < TILE / ABREAST; half++)
            left[half] = ~(Bits){0};
        for (const Split *const end = split + behind[tree] - (tree ? behind[tree - 1] : 0); split < end; split++)
            for (int half = 0; half < TILE / ABREAST; half++) {
                Values values;
                memcpy(&values, tile + split->feature * TILE + half * ABREAST, sizeof values);
                left[half] &= ~((values > split->threshold) & (int32_t)split->left);
            }
        for (int row = 0; row < TILE; row++)
            sums[row] += leaf[__builtin_ctz((uint32_t)left[row / ABREAST][row % ABREAST])];
    }
}

/* The sums of up to TILE rows, those that ``chosen`` names. */
static void add_tile(const Forest *forest, const float *columns, Py_ssize_t features, Py_ssize_t count,
                     const int32_t *chosen, int rows, float *tile, double *sums) {
    int in_a_row = 1;
    for (int row = 0; row < rows; row++)
        in_a_row &= chosen[row] == chosen[0] + row;
    for (Py_ssize_t feature = 0; feature < features; feature++)
        if (in_a_row)
            memcpy(tile + feature * TILE, columns + feature * count + chosen[0], (size_t)rows * sizeof *tile);
        else for (int row = 0; row < rows; row++)
            tile[feature * TILE + row] = columns[feature * count + chosen[row]];
    if (forest->split) {
        add_leaves(forest->split, forest->behind, forest->leaf, forest->trees, tile, sums);
        return;
    }
    for (Py_ssize_t tree = 0; tree < forest->trees; tree++)
        for (int row = 0; row < rows; row += ABREAST)
            walk(forest->node + forest->root[tree], forest->value + forest->root[tree], forest->depth[tree], tile + row,
                 sums + row);
}

/* Whether every step from every root ends at a node of its tree, and asks for a feature that there is. */
static int is_forest(const Forest *forest, Py_ssize_t nodes, Py_ssize_t features) {
    if (!all_within(forest->root, forest->trees, 0, nodes - 1))
        return 0;
    for (Py_ssize_t tree = 0; tree < forest->trees; tree++) {
        const Py_ssize_t end = tree + 1 < forest->trees ? forest->root[tree + 1] : nodes;
        for (Py_ssize_t i = forest->root[tree]; i < end; i++) {
            const Node node = forest->node[i];
            if (node.feature >= features || forest->root[tree] + node.left + !isinf(node.threshold) >= end)
                return 0;
        }
        if (forest->root[tree] >= end)
            return 0;
    }
    return 1;
}

/* A forest that was checked once, and the arrays that it stands in. */
typedef struct {
    Py_buffer nodes, values, roots, depths;
    Forest forest;
    Py_ssize_t features; /* that its nodes ask for, at most */
} Checked;

/* The leaves below each of a tree's nodes, 0 where it is no tree whose children stand behind their parents. */
static int count_leaves(const Node *node, Py_ssize_t nodes, int32_t *leaves) {
    for (Py_ssize_t i = nodes - 1; i >= 0; i--) {
        const Py_ssize_t left = node[i].left;
        if (isinf(node[i].threshold))
            leaves[i] = 1;
        else if (left <= i || leaves[left] + leaves[left + 1] > MOST)
            return 0;
        else
            leaves[i] = leaves[left] + leaves[left + 1];
    }
    return 1;
}

enum { NOWHERE = -1 };

/* Writes a tree's splits and leaves; ``first``: NOWHERE for each node, takes the number of its first leaf. NULL where a
 * node has two parents. */
static Split *put_splits(const Node *node, const float *value, Py_ssize_t nodes, const int32_t *leaves, int32_t *first,
                         Split *to, double *leaf) {
    first[0] = 0;
    for (Py_ssize_t i = 0; i < nodes; i++) {
        const int32_t from = first[i];
        if (from == NOWHERE)
            continue;
        if (isinf(node[i].threshold)) {
            leaf[from] = value[i];
            continue;
        }
        const int32_t left = node[i].left, below = leaves[left];
        if (first[left] != NOWHERE || first[left + 1] != NOWHERE)
            return NULL;
        first[left] = from;
        first[left + 1] = from + below;
        *to++ = (Split){node[i].threshold, node[i].feature, (uint32_t)(((1ull << below) - 1) << from)};
    }
    return to;
}

/* Fills a checked forest's splits, where all of its trees have few leaves; 0, or -1 without memory. */
static int put_forest(Forest *forest, Py_ssize_t nodes) {
    const size_t trees = (size_t)forest->trees, all = (size_t)nodes;
    int32_t *leaves = malloc((2 * all + 1) * sizeof *leaves), fits = 1;
    forest->split = malloc((all + 1) * sizeof *forest->split);
    forest->behind = malloc((trees + 1) * sizeof *forest->behind);
    forest->leaf = calloc(trees * MOST + 1, sizeof *forest->leaf);
    const int failed = !leaves || !forest->split || !forest->behind || !forest->leaf;
    Split *to = forest->split;
    for (Py_ssize_t tree = 0; !failed && fits && tree < forest->trees; tree++) {
        const Py_ssize_t root = forest->root[tree], end = tree + 1 < forest->trees ? forest->root[tree + 1] : nodes;
        memset(leaves + all, NOWHERE, all * sizeof *leaves);
        if (count_leaves(forest->node + root, end - root, leaves))
            to = put_splits(forest->node + root, forest->value + root, end - root, leaves, leaves + all, to,
                            forest->leaf + tree * MOST);
        else
            to = NULL;
        fits = to != NULL;
        if (fits)
            forest->behind[tree] = (int32_t)(to - forest->split);
    }
    free(leaves);
    if (!fits) {
        free(forest->split);
        forest->split = NULL;
    }
    return failed ? -1 : 0;
}

static const char CHECKED[] = "winnow.forest";

static void release(PyObject *capsule) {
    Checked *checked = PyCapsule_GetPointer(capsule, CHECKED);
    PyBuffer_Release(&checked->nodes);
    PyBuffer_Release(&checked->values);
    PyBuffer_Release(&checked->roots);
    PyBuffer_Release(&checked->depths);
    free(checked->forest.split);
    free(checked->forest.behind);
    free(checked->forest.leaf);
    free(checked);
}

/* trees.py: a forest for staged and votes, once its nodes are known to lead nowhere else. */
static PyObject *forest(PyObject *self, PyObject *args) {
    Checked *made = calloc(1, sizeof *made);
    if (!made)
        return PyErr_NoMemory();
    if (!PyArg_ParseTuple(args, "y*y*y*y*n", &made->nodes, &made->values, &made->roots, &made->depths, &made->features)) {
        free(made);
        return NULL;
    }
    made->forest = (Forest){.node = made->nodes.buf,
                            .value = made->values.buf,
                            .root = made->roots.buf,
                            .depth = made->depths.buf,
                            .trees = made->roots.len / 4};
    PyObject *capsule = PyCapsule_New(made, CHECKED, release);
    const Py_ssize_t nodes = made->nodes.len / (Py_ssize_t)sizeof(Node);
    const int fits = made->values.len / 4 == nodes && made->depths.len == made->roots.len &&
                     is_forest(&made->forest, nodes, made->features);
    if (capsule && demand(fits, "trees within their nodes"))
        Py_CLEAR(capsule);
    if (capsule && put_forest(&made->forest, nodes)) {
        PyErr_NoMemory();
        Py_CLEAR(capsule);
    }
    return capsule;
}

/* The forests of a tuple, at most ``most``, None for one without trees; how many, or -1 where one is no forest or asks
 * for features that there are not. */
static Py_ssize_t forests_of(PyObject *tuple, Py_ssize_t features, const Forest **found, Py_ssize_t most) {
    static const Forest NONE;
    const Py_ssize_t count = PyTuple_GET_SIZE(tuple);
    int fits = count <= most;
    for (Py_ssize_t i = 0; fits && i < count; i++) {
        found[i] = &NONE;
        if (PyTuple_GET_ITEM(tuple, i) == Py_None)
            continue;
        const Checked *checked = PyCapsule_GetPointer(PyTuple_GET_ITEM(tuple, i), CHECKED);
        if (!checked)
            return -1;
        fits = checked->features <= features;
        found[i] = &checked->forest;
    }
    return demand(fits, "forests that ask for the features that there are") ? -1 : count;
}

enum { FORESTS = 64 };

/* The sum of a forest for one row, which goes down several trees at once. */
static double sum_of(const Forest *forest, const float *row) {
    double sum = 0;
    for (Py_ssize_t first = 0; first < forest->trees; first += ABREAST) {
        const int trees = forest->trees - first < ABREAST ? (int)(forest->trees - first) : ABREAST;
        const Node *node[ABREAST];
        uint32_t at[ABREAST] = {0};
        int32_t depth = 0;
        for (int tree = 0; tree < ABREAST; tree++) { /* the last tree stands for those that are not there */
            const Py_ssize_t which = first + (tree < trees ? tree : trees - 1);
            node[tree] = forest->node + forest->root[which];
            depth = forest->depth[which] > depth ? forest->depth[which] : depth;
        }
        for (int32_t step = 0; step < depth; step++)
            for (int tree = 0; tree < ABREAST; tree++) {
                const Node *here = node[tree] + at[tree];
                at[tree] = (uint32_t)here->left + (row[here->feature] > here->threshold);
            }
        for (int tree = 0; tree < trees; tree++)
            sum += forest->value[forest->root[first + tree] + (int32_t)at[tree]];
    }
    return sum;
}

/* trees.py, sums_of: the sum of each forest for one row. */
static PyObject *votes(PyObject *self, PyObject *args) {
    PyObject *tuple, *found = NULL;
    Py_buffer row;
    const Forest *forest[FORESTS];
    if (!PyArg_ParseTuple(args, "O!y*", &PyTuple_Type, &tuple, &row))
        return NULL;
    const float *value = row.buf;
    const Py_ssize_t count = forests_of(tuple, row.len / 4, forest, FORESTS);
    found = count < 0 ? NULL : PyList_New(count);
    for (Py_ssize_t i = 0; found && i < count; i++) {
        const double sum = sum_of(forest[i], value);
        PyObject *number = PyFloat_FromDouble(sum);
        if (!number)
            Py_CLEAR(found);
        else
            PyList_SET_ITEM(found, i, number);
    }
    PyBuffer_Release(&row);
    return found;
}

/* Adds each forest to the rows that no forest before has decided; ``chosen`` and ``tile`` are room. */
static void add_stages(const Forest *const *forest, const double *limit, Py_ssize_t stages, const float *columns,
                       Py_ssize_t features, Py_ssize_t rows, int32_t *chosen, float *tile, double *sums) {
    Py_ssize_t left = rows;
    for (Py_ssize_t i = 0; i < rows; i++)
        chosen[i] = (int32_t)i;
    for (Py_ssize_t stage = 0; stage < stages; stage++) {
        Py_ssize_t undecided = 0;
        for (Py_ssize_t start = 0; start < left; start += TILE) {
            double sum[TILE] = {0};
            const int count = left - start < TILE ? (int)(left - start) : TILE;
            add_tile(forest[stage], columns, features, rows, chosen + start, count, tile, sum);
            for (int i = 0; i < count; i++) {
                const int32_t row = chosen[start + i];
                sums[row] += sum[i];
                if (fabs(sums[row]) < limit[stage])
                    chosen[undecided++] = row;
            }
        }
        left = undecided;
    }
}

/* trees.py, staged_sums; ``sums`` are 0. */
static PyObject *staged(PyObject *self, PyObject *args) {
    PyObject *tuple;
    Py_buffer limits, columns, sums;
    Py_ssize_t features;
    const Forest *forest[FORESTS];
    int32_t *chosen = NULL;
    float *tile = NULL;
    if (!PyArg_ParseTuple(args, "O!y*y*nw*", &PyTuple_Type, &tuple, &limits, &columns, &features, &sums))
        return NULL;
    const Py_ssize_t rows = sums.len / 8, stages = forests_of(tuple, features, forest, FORESTS);
    int failed = stages < 0 || demand(limits.len == 8 * stages && features > 0 && columns.len == 4 * rows * features,
                                      "a limit for each forest, a sum for each row");
    if (!failed) {
        chosen = malloc(((size_t)rows + 1) * sizeof *chosen);
        tile = calloc((size_t)(features + 1) * TILE, sizeof *tile); /* rows that are not there are 0 */
        failed = !chosen || !tile;
        if (failed)
            PyErr_NoMemory();
    }
    if (!failed) {
        Py_BEGIN_ALLOW_THREADS;
        add_stages(forest, limits.buf, stages, columns.buf, features, rows, chosen, tile, sums.buf);
        Py_END_ALLOW_THREADS;
    }
    free(chosen);
    free(tile);
    PyBuffer_Release(&limits);
    PyBuffer_Release(&columns);
    PyBuffer_Release(&sums);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef METHODS[] = {{"forest", forest, METH_VARARGS, "A checked forest for staged and votes."},
                                {"votes", votes, METH_VARARGS, "trees.sums_of, compiled."},
                                {"staged", staged, METH_VARARGS, "trees.staged_sums, compiled."},
                                {NULL, NULL, 0, NULL}};
static struct PyModuleDef MODULE = {
    .m_base = PyModuleDef_HEAD_INIT, .m_name = "_trees", .m_doc = "Trees, compiled.", .m_methods = METHODS};

PyMODINIT_FUNC PyInit__trees(void) { return PyModule_Create(&MODULE); }
