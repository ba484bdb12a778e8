/* The hot loop of document/render/article/article_writer.py, compiled: the walk over the content, and what is written at each step.
 *
 * `Writer` is the definition and says why each step is taken; this file does the same,
 * function by function and under the same names, and is tested equal to it. For tags with attributes that count, but for plain
 * links, and for what is shown for a medium it calls Python. The C code has no element names, only the flags and the names of
 * attributes that article.py gives to each.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

#include "../../_chars.h"
#include "../../_checks.h"
#include "../_addresses.h"

enum { INLINE_EDGE, SPACE_EDGE, LINE_EDGE }; /* document/parsing/tags.py, the first three */
enum { CONTAINER = 1, INLINE = 2, RULE = 4, HEADING = 8, ITEM = 16, PRE = 32, CELL = 64, BARE = 128,
       TEXT_ONLY = 256, RULED = 512, FIGURE = 1024, LINK = 2048, BLOCK_LEVEL = 4096 }; /* article.py, _FLAGS */
enum { INDEX, OPENED, CLOSED, ROLE, HAS_BLOCKS, TAG_END, ELEMENT_WIDTH };   /* columns of `elements` */
enum { SOURCE_START, SOURCE_END, GAP, OWNER, BLOCK, KIND, SEGMENT_WIDTH };  /* columns of `segments` */
enum { SLICED, GIVEN, MEDIUM };                                             /* values of KIND */
enum { FLAGS, KIN, ALLOWED, CHILD, TABLE_WIDTH };                           /* columns of `table` */
enum { DEEPEST = 64 };

typedef struct {
    int32_t element, role, has_blocks;
    Py_ssize_t at, locales;
    PyObject *closing; /* owned */
    int filled;
} Container;

typedef struct {
    int32_t element, role; /* of an inline element; of a locale no role */
    PyObject *opening;     /* owned */
} Opened;

typedef struct {
    Opened *rows;
    Py_ssize_t count, capacity;
} Stack;

typedef struct {
    PyObject *markup, *given, *names, *closings, *openings, *reads, *levels, *layout, *anchors_of, *locales_of;
    PyObject *ask_container, *ask_inline, *ask_medium;
    Roots roots;
    const int32_t *elements, *segments, *table;
    Py_ssize_t element_count, segment_count;
    int32_t first_heading, span, deepest;
    PyObject *out, *anchors; /* lists of str */
    Container containers[DEEPEST];
    Py_ssize_t depth;
    Stack inlines, locales;
    Py_ssize_t opened;
    int in_paragraph, in_run, widest;
} Writer;

#define TRY(step)                                                                                             \
    do {                                                                                                      \
        if ((step) < 0)                                                                                       \
            return -1;                                                                                        \
    } while (0)
#define TABLE(role, column) (w->table[INDEX(role, PyTuple_GET_SIZE(w->closings)) * TABLE_WIDTH + (column)])
#define IS(role, flag) (TABLE(role, FLAGS) & (flag))

static Container *top(Writer *w) { return &w->containers[INDEX(w->depth - 1, DEEPEST)]; }

/* Append a string and let go of it; NULL is an error already set. */
static int put(Writer *w, PyObject *string) {
    if (!string)
        return -1;
    int failed = PyList_Append(w->out, string);
    Py_DECREF(string);
    return failed;
}

static int put_text(Writer *w, const char *ascii) { return put(w, PyUnicode_FromString(ascii)); }

static int put_closing(Writer *w, int32_t role) { return put(w, Py_NewRef(PyTuple_GET_ITEM(w->closings, role))); }

/* Takes the reference to `opening`, also when it fails. */
static int push(Stack *stack, int32_t element, int32_t role, PyObject *opening) {
    if (stack->count == stack->capacity) {
        Py_ssize_t capacity = stack->capacity ? 2 * stack->capacity : 16;
        Opened *rows = PyMem_Realloc(stack->rows, (size_t)capacity * sizeof(Opened));
        if (!rows) {
            Py_DECREF(opening);
            PyErr_NoMemory();
            return -1;
        }
        stack->rows = rows;
        stack->capacity = capacity;
    }
    stack->rows[stack->count++] = (Opened){element, role, opening};
    return 0;
}

static void pop(Stack *stack) {
    stack->count--;
    Py_DECREF(stack->rows[INDEX(stack->count, stack->capacity)].opening);
}

/* What a dict of element indices holds: borrowed, NULL with no error set if nothing. */
static PyObject *told_of(PyObject *dict, int32_t element) {
    if (!PyDict_GET_SIZE(dict))
        return NULL;
    PyObject *key = PyLong_FromLong(element);
    if (!key)
        return NULL;
    PyObject *found = PyDict_GetItemWithError(dict, key);
    Py_DECREF(key);
    return found;
}

/* The language and direction of transparent elements that no open container carries; owned. */
static PyObject *locale(Writer *w) {
    if (w->locales.count > top(w)->locales)
        return Py_NewRef(w->locales.rows[w->locales.count - 1].opening);
    return PyUnicode_FromString("");
}

/* Containers. */

/* Takes the reference to `closing`, also when it fails; that to `opening` too. */
static int push_container(Writer *w, Container made, PyObject *opening) {
    if (!opening || !made.closing || w->depth == DEEPEST) {
        if (w->depth == DEEPEST)
            PyErr_SetString(PyExc_RecursionError, "containers are nested too deep");
        Py_XDECREF(opening);
        Py_XDECREF(made.closing);
        return -1;
    }
    made.at = PyList_GET_SIZE(w->out);
    made.locales = w->locales.count;
    w->containers[w->depth++] = made;
    return put(w, opening);
}

static int open_synthetic(Writer *w) {
    int32_t role = TABLE(top(w)->role, CHILD);
    PyObject *name = PyTuple_GET_ITEM(w->names, role);
    Container made = {.element = -1, .role = role, .closing = Py_NewRef(PyTuple_GET_ITEM(w->closings, role))};
    return push_container(w, made, PyUnicode_FromFormat("<%U>", name));
}

static int end_run(Writer *w) {
    for (; w->opened; w->opened--)
        TRY(put_closing(w, w->inlines.rows[w->opened - 1].role));
    if (w->in_paragraph)
        TRY(put_text(w, "</p>"));
    w->in_paragraph = w->in_run = 0;
    return 0;
}

static int close_top(Writer *w) {
    TRY(demand(w->depth > 1, "what stands around everything is never closed"));
    TRY(end_run(w));
    Container *container = top(w);
    Py_ssize_t end = PyList_GET_SIZE(w->out);
    int failed = 0;
    if (container->filled) {
        failed = PyList_Append(w->out, container->closing);
        container[-1].filled = 1;
    } else if (IS(container->role, CELL)) {
        PyObject *th = PyUnicode_FromString("<th"), *td = PyUnicode_FromString("<td");
        PyObject *opening = th && td ? PyUnicode_Replace(PyList_GET_ITEM(w->out, container->at), th, td, 1) : NULL;
        Py_XDECREF(th);
        Py_XDECREF(td);
        failed = PyList_SetSlice(w->out, container->at, end, NULL) || put(w, opening) || put_text(w, "</td>");
    } else {
        failed = PyList_SetSlice(w->out, container->at, end, NULL);
    }
    Py_DECREF(container->closing);
    w->depth--;
    w->widest = INLINE_EDGE;
    return failed ? -1 : 0;
}

static int32_t top_real(Writer *w, int32_t role) {
    if (top(w)->element < 0 && w->depth > 1 && IS(role, ITEM))
        return w->containers[w->depth - 2].role;
    return top(w)->role;
}

/* Whether none of the attributes that an element's role reads stands in its start tag. */
static int has_no_attributes(Writer *w, const int32_t *row, int32_t role) {
    PyObject *read = PyTuple_GET_ITEM(w->reads, INDEX(role, PyTuple_GET_SIZE(w->reads)));
    if (read == Py_None)
        return 0;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(read); i++)
        if (has_attribute(w->markup, row[OPENED], row[TAG_END], PyTuple_GET_ITEM(read, i)))
            return 0;
    return 1;
}

/* Whether nothing is written into a container's start tag: neither attributes nor an id nor a language; 1, 0, -1 at an error. */
static int is_plain(Writer *w, const int32_t *row, int32_t role) {
    if (told_of(w->anchors_of, row[INDEX]) || told_of(w->locales_of, row[INDEX]))
        return 0;
    return PyErr_Occurred() ? -1 : has_no_attributes(w, row, role);
}

/* 1 if a container may stand here, 0 if not, -1 at an error. */
static int fits(Writer *w, int32_t element, int32_t role) {
    int32_t around = top_real(w, role);
    if (w->depth > w->deepest || IS(around, HEADING | PRE))
        return 0;
    PyObject *key = PyLong_FromLong(element);
    int is_layout = key ? PySet_Contains(w->layout, key) : -1;
    Py_XDECREF(key);
    if (is_layout)
        return is_layout < 0 ? -1 : 0;
    if (IS(role, HEADING) && !told_of(w->levels, element))
        return PyErr_Occurred() ? -1 : 0;
    return (TABLE(role, ALLOWED) & TABLE(around, KIN)) != 0;
}

static int open_container(Writer *w, const int32_t *row, int32_t role) {
    TRY(end_run(w));
    if (top(w)->element < 0 && IS(role, ITEM))
        TRY(close_top(w));
    else if (TABLE(top(w)->role, CHILD) && !IS(role, ITEM))
        TRY(open_synthetic(w));
    if (IS(role, HEADING)) {
        PyObject *level = told_of(w->levels, row[INDEX]);
        const long number = level ? PyLong_AsLong(level) : 0;
        TRY(demand(number >= 1 && number <= 6 && !PyErr_Occurred(), "a heading's level is 1 to 6"));
        role = w->first_heading + (int32_t)number - 1;
    }
    PyObject *declared = locale(w);
    if (!declared)
        return -1;
    Container made = {.element = row[INDEX], .role = role, .has_blocks = row[HAS_BLOCKS]};
    const int plain = PyUnicode_GET_LENGTH(declared) ? 0 : is_plain(w, row, role);
    if (plain > 0) {
        Py_DECREF(declared);
        made.closing = Py_NewRef(PyTuple_GET_ITEM(w->closings, role));
        return push_container(w, made, Py_NewRef(PyTuple_GET_ITEM(w->openings, role)));
    }
    if (plain < 0) {
        Py_DECREF(declared);
        return -1;
    }
    PyObject *edges = PyObject_CallFunction(w->ask_container, "iOO", row[INDEX], PyTuple_GET_ITEM(w->names, role), declared);
    Py_DECREF(declared);
    if (!edges)
        return -1;
    PyObject *opening, *closing;
    int is_pair = PyArg_ParseTuple(edges, "UU", &opening, &closing);
    if (is_pair) {
        Py_INCREF(opening);
        Py_INCREF(closing);
    }
    Py_DECREF(edges);
    if (!is_pair)
        return -1;
    made.closing = closing;
    return push_container(w, made, opening);
}

/* Runs: text and inline elements between two edges of containers. */

static int wants_paragraph(Writer *w, const int32_t *row) {
    Container *container = top(w);
    if (!IS(container->role, BARE))
        return !(IS(container->role, FIGURE) && row[KIND] == MEDIUM);
    if (container->element < 0 || IS(container->role, TEXT_ONLY))
        return 0;
    return row[BLOCK] != container->element && container->has_blocks;
}

static int part(Writer *w, const int32_t *row) {
    int32_t role = top(w)->role;
    if (IS(role, PRE))
        return w->widest > SPACE_EDGE ? put_text(w, "\n") : 0;
    if (w->widest > LINE_EDGE && (w->in_paragraph || wants_paragraph(w, row)))
        return end_run(w);
    if (w->widest > SPACE_EDGE)
        return put_text(w, w->widest == LINE_EDGE || IS(role, HEADING) ? "<br>" : "<br><br>");
    return put_text(w, " ");
}

static int begin_run(Writer *w, const int32_t *row) {
    if (TABLE(top(w)->role, CHILD))
        TRY(open_synthetic(w));
    if (w->in_run && w->widest > INLINE_EDGE)
        TRY(part(w, row));
    if (!w->in_run) {
        w->in_run = 1;
        if (wants_paragraph(w, row)) {
            PyObject *declared = locale(w);
            PyObject *opening = declared ? PyUnicode_FromFormat("<p%U>", declared) : NULL;
            Py_XDECREF(declared);
            TRY(put(w, opening));
            w->in_paragraph = 1;
        }
    }
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(w->anchors); i++)
        TRY(put(w, PyUnicode_FromFormat("<span id=\"%U\"></span>", PyList_GET_ITEM(w->anchors, i))));
    TRY(PyList_SetSlice(w->anchors, 0, PyList_GET_SIZE(w->anchors), NULL));
    for (; w->opened < w->inlines.count; w->opened++)
        TRY(PyList_Append(w->out, w->inlines.rows[w->opened].opening));
    return 0;
}

/* A segment's markup, owned: its edges stripped of white space, except where that counts. */
static PyObject *markup_of(Writer *w, Py_ssize_t index, const int32_t *row) {
    int is_verbatim = IS(top(w)->role, PRE);
    if (row[KIND] == MEDIUM)
        return PyObject_CallFunction(w->ask_medium, "i", row[OWNER]);
    if (row[KIND] == GIVEN) {
        PyObject *found = told_of(w->given, (int32_t)index);
        if (!found)
            return PyErr_Occurred() ? NULL : PyErr_Format(PyExc_KeyError, "no text of segment %zd", index);
        return is_verbatim ? Py_NewRef(found) : PyObject_CallMethod(found, "strip", NULL);
    }
    Py_ssize_t start = row[SOURCE_START], end = row[SOURCE_END];
    if (demand(start >= 0 && end <= PyUnicode_GET_LENGTH(w->markup), "a segment outside of the markup"))
        return NULL;
    int kind = PyUnicode_KIND(w->markup);
    const void *data = PyUnicode_DATA(w->markup);
    if (!is_verbatim) {
        while (start < end && Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, start)))
            start++;
        while (start < end && Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, end - 1)))
            end--;
    }
    return PyUnicode_Substring(w->markup, start, end);
}

static int segment(Writer *w, Py_ssize_t index) {
    const int32_t *row = w->segments + index * SEGMENT_WIDTH;
    if (row[GAP] > w->widest)
        w->widest = row[GAP];
    PyObject *markup = markup_of(w, index, row);
    if (!markup || !PyUnicode_Check(markup) || !PyUnicode_GET_LENGTH(markup)) {
        Py_XDECREF(markup);
        return markup ? 0 : -1;
    }
    if (begin_run(w, row) < 0) {
        Py_DECREF(markup);
        return -1;
    }
    TRY(put(w, markup));
    top(w)->filled = 1;
    w->widest = INLINE_EDGE;
    return 0;
}

/* Elements. */

/* The start tag of an inline element, owned; of one with attributes, or of a link that is not plain, Python's. */
static PyObject *opening_of(Writer *w, const int32_t *row, int32_t role) {
    if (!told_of(w->locales_of, row[INDEX]) && !PyErr_Occurred()) {
        PyObject *link = IS(role, LINK) ? plain_link(w->markup, row[OPENED], row[TAG_END], &w->roots) : NULL;
        if (link)
            return link;
        if (!PyErr_Occurred() && has_no_attributes(w, row, role))
            return Py_NewRef(PyTuple_GET_ITEM(w->openings, role));
    }
    if (PyErr_Occurred())
        return NULL;
    return PyObject_CallFunction(w->ask_inline, "iO", row[INDEX], PyTuple_GET_ITEM(w->names, role));
}

static int open_inline(Writer *w, const int32_t *row, int32_t role) {
    for (Py_ssize_t i = 0; i < w->inlines.count && !IS(role, LINK); i++)
        if (w->inlines.rows[i].role == role)
            return 0;
    PyObject *opening = opening_of(w, row, role);
    if (!opening || !PyUnicode_Check(opening) || !PyUnicode_GET_LENGTH(opening)) {
        Py_XDECREF(opening);
        return opening ? 0 : -1;
    }
    return push(&w->inlines, row[INDEX], role, opening);
}

static int open_transparent(Writer *w, int32_t element, int32_t role) {
    PyObject *declared = told_of(w->locales_of, element);
    if (!declared)
        return PyErr_Occurred() ? -1 : 0;
    if (IS(role, BLOCK_LEVEL))
        return push(&w->locales, element, 0, Py_NewRef(declared));
    PyObject *opening = PyUnicode_FromFormat("<span%U>", declared);
    return opening ? push(&w->inlines, element, w->span, opening) : -1;
}

static int open_element(Writer *w, const int32_t *row) {
    int32_t element = row[INDEX], role = row[ROLE];
    if (IS(role, CONTAINER)) {
        int is_fit = fits(w, element, role);
        if (is_fit)
            return is_fit < 0 ? -1 : open_container(w, row, role);
    }
    PyObject *anchor = told_of(w->anchors_of, element);
    if (anchor ? PyList_Append(w->anchors, anchor) < 0 : PyErr_Occurred() != NULL)
        return -1;
    if (IS(role, INLINE))
        return open_inline(w, row, role);
    if (!IS(role, RULE))
        return open_transparent(w, element, role);
    if (!IS(top(w)->role, RULED))
        return 0;
    TRY(end_run(w));
    return put_text(w, "<hr>");
}

static int close_element(Writer *w, int32_t element) {
    Container *container = top(w);
    int is_behind_synthetic = container->element < 0 && w->depth > 1 && container[-1].element == element;
    if (container->element == element || is_behind_synthetic) {
        if (is_behind_synthetic)
            TRY(close_top(w));
        return close_top(w);
    }
    if (w->inlines.count && w->inlines.rows[w->inlines.count - 1].element == element) {
        int32_t role = w->inlines.rows[w->inlines.count - 1].role;
        pop(&w->inlines);
        if (w->opened > w->inlines.count) {
            w->opened--;
            return put_closing(w, role);
        }
    } else if (w->locales.count && w->locales.rows[w->locales.count - 1].element == element) {
        TRY(end_run(w));
        pop(&w->locales);
    }
    return 0;
}

/* document/render/traversal.py: the elements' edges and the segments in document order. `stack` has room
 * for all elements. */
static int walk(Writer *w, int32_t *stack) {
    Py_ssize_t next = 0, height = 0;
#define ELEMENT(i) (w->elements + (i) * ELEMENT_WIDTH)
#define CLOSE_UNTIL(offset)                                                                                   \
    while (height && ELEMENT(stack[height - 1])[CLOSED] <= (offset))                                          \
    TRY(close_element(w, ELEMENT(stack[--height])[INDEX]))
    for (Py_ssize_t index = 0; index <= w->segment_count; index++) {
        int is_end = index == w->segment_count;
        int32_t at = is_end ? INT32_MAX : w->segments[index * SEGMENT_WIDTH + SOURCE_START];
        for (; next < w->element_count && ELEMENT(next)[OPENED] <= at; next++) {
            CLOSE_UNTIL(ELEMENT(next)[OPENED]);
            TRY(open_element(w, ELEMENT(next)));
            stack[INDEX(height, w->element_count)] = (int32_t)next;
            height++;
        }
        CLOSE_UNTIL(at);
        if (!is_end)
            TRY(segment(w, index));
    }
    return end_run(w);
}

static void let_go(Writer *w) {
    while (w->depth > 1)
        Py_DECREF(w->containers[--w->depth].closing);
    while (w->inlines.count)
        pop(&w->inlines);
    while (w->locales.count)
        pop(&w->locales);
    PyMem_Free(w->inlines.rows);
    PyMem_Free(w->locales.rows);
    Py_CLEAR(w->anchors);
}

static int has_rows(const Py_buffer *buffer, Py_ssize_t width) {
    return buffer->len % (width * (Py_ssize_t)sizeof(int32_t)) == 0;
}

/* Whether every role that is named is one of the table's, and every element has a number. */
static int has_roles(const Writer *w, Py_ssize_t roles) {
    int outside = w->first_heading < 0 || w->first_heading + 6 > roles || w->span < 0 || w->span >= roles ||
                  w->deepest >= DEEPEST;
    for (Py_ssize_t role = 0; role < roles; role++)
        outside |= w->table[role * TABLE_WIDTH + CHILD] < 0 || w->table[role * TABLE_WIDTH + CHILD] >= roles;
    for (Py_ssize_t i = 0; i < w->element_count; i++) {
        const int32_t *row = w->elements + i * ELEMENT_WIDTH;
        outside |= row[INDEX] < 0 || row[ROLE] < 0 || row[ROLE] >= roles;
        outside |= row[OPENED] < 0 || row[TAG_END] < row[OPENED] || row[TAG_END] > PyUnicode_GET_LENGTH(w->markup);
    }
    return !outside && roles == PyTuple_GET_SIZE(w->closings) && roles == PyTuple_GET_SIZE(w->openings);
}

/* Whether each role reads what nobody knows (None) or attributes whose names are ASCII. */
static int has_reads(const Writer *w, Py_ssize_t roles) {
    int fits = roles == PyTuple_GET_SIZE(w->reads);
    for (Py_ssize_t role = 0; fits && role < roles; role++) {
        PyObject *read = PyTuple_GET_ITEM(w->reads, role);
        fits = read == Py_None || PyTuple_Check(read);
        for (Py_ssize_t i = 0; fits && read != Py_None && i < PyTuple_GET_SIZE(read); i++)
            fits = PyUnicode_Check(PyTuple_GET_ITEM(read, i)) && PyUnicode_IS_ASCII(PyTuple_GET_ITEM(read, i));
    }
    return fits;
}

PyDoc_STRVAR(write_doc,
             "write(markup, elements, segments, given, roles, plan, roots, callbacks) -> list of str\n\n"
             "elements: rows of (index, open_start, close_end, role, has_blocks, open_end); segments: rows of\n"
             "(source_start, source_end, gap, owner, block, kind), all int32; given: the text of segments of\n"
             "kind 1. roles: (names, closings, openings, reads, table, h1, span, deepest), plan: (levels, layout,\n"
             "anchors, locales), roots: (absolute, below_root), callbacks: (container, inline, medium); see\n"
             "document/render/article/clean_html.py.");

static PyObject *write_article(PyObject *module, PyObject *args) {
    Writer writer = {.depth = 1}, *w = &writer;
    Py_buffer elements, segments, table;
    w->containers[0] = (Container){.element = -1};
    if (!PyArg_ParseTuple(args, "Uy*y*O!(O!O!O!O!y*iii)(O!OO!O!)(OO)(OOO)", &w->markup, &elements, &segments, &PyDict_Type,
                          &w->given, &PyTuple_Type, &w->names, &PyTuple_Type, &w->closings, &PyTuple_Type, &w->openings,
                          &PyTuple_Type, &w->reads, &table, &w->first_heading, &w->span, &w->deepest, &PyDict_Type,
                          &w->levels, &w->layout, &PyDict_Type, &w->anchors_of, &PyDict_Type, &w->locales_of,
                          &w->roots.absolute, &w->roots.below, &w->ask_container, &w->ask_inline, &w->ask_medium))
        return NULL;
    int32_t *stack = NULL;
    w->elements = elements.buf;
    w->segments = segments.buf;
    w->table = table.buf;
    w->element_count = elements.len / (Py_ssize_t)(ELEMENT_WIDTH * sizeof(int32_t));
    w->segment_count = segments.len / (Py_ssize_t)(SEGMENT_WIDTH * sizeof(int32_t));
    if (!has_rows(&elements, ELEMENT_WIDTH) || !has_rows(&segments, SEGMENT_WIDTH) || !PyAnySet_Check(w->layout) ||
        table.len != PyTuple_GET_SIZE(w->names) * (Py_ssize_t)(TABLE_WIDTH * sizeof(int32_t)))
        PyErr_SetString(PyExc_ValueError, "the tables have not the shapes that document/render/article/clean_html.py tells");
    else if (demand(has_roles(w, PyTuple_GET_SIZE(w->names)) && has_reads(w, PyTuple_GET_SIZE(w->names)) &&
                        has_roots(&w->roots), "roles that there are"))
        w->out = NULL;
    else if (!(stack = PyMem_Calloc((size_t)w->element_count + 1, sizeof(int32_t))))
        PyErr_NoMemory();
    else if ((w->out = PyList_New(0)) && (!(w->anchors = PyList_New(0)) || walk(w, stack) < 0))
        Py_CLEAR(w->out);
    let_go(w);
    PyMem_Free(stack);
    PyBuffer_Release(&elements);
    PyBuffer_Release(&segments);
    PyBuffer_Release(&table);
    return w->out;
}

static PyMethodDef METHODS[] = {{"write", write_article, METH_VARARGS, write_doc},
                                {"ready_set", ready_set, METH_VARARGS, ready_set_doc},
                                {NULL, NULL, 0, NULL}};
static struct PyModuleDef MODULE = {
    .m_base = PyModuleDef_HEAD_INIT, .m_name = "_writer", .m_doc = "The compiled writer.", .m_methods = METHODS};

PyMODINIT_FUNC PyInit__writer(void) { return PyModule_Create(&MODULE); }
