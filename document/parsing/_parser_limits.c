/* Whether a page costs the parser more than its size (parser_limits.py, the definition), compiled.
 *
 * Functions bear the definition's names. Open elements are on the heap, no more than the limit of the depth.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../_checks.h"

enum { VOID = 1, RAW = 2, SPECIAL = 4, SCOPE = 8, FORMATTING = 16, CLOSES_P = 32, CELL = 64, ROW = 128, GROUP = 256,
       TABLE = 512, SECTION = 1024, ALONE = 2048, FOREIGN = 4096, OPTION = 8192, IGNORED = 16384, SINGLE = 32768,
       IN_TABLE = CELL | ROW | SECTION };
enum { NONE, DEPTH, ATTRIBUTES, REOPENED, OPTIONS };
enum { NAME_SLOTS = 1024, MOST_NAMES = 256, TABLE_WEIGHT = 3 };

typedef struct {
    const char *bytes; /* as it stands in the page, or in the table of names */
    Py_ssize_t length;
    int code;
    uint32_t flags;
} Name;

typedef struct {
    const char *bytes;
    Py_ssize_t size;
    Name names[MOST_NAMES];
    int16_t slots[NAME_SLOTS]; /* indices of names, 0: free */
    Name *open;
    Py_ssize_t depth, limits[5];
    Py_ssize_t tables, foreign, options, reopened, active, standing, formatting[MOST_NAMES];
} Estimate;

static inline unsigned char lower(unsigned char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }
static inline int is_letter(unsigned char c) { return lower(c) >= 'a' && lower(c) <= 'z'; }
static inline int is_blank(unsigned char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r'; }

static unsigned hash_of(const char *bytes, Py_ssize_t length) {
    unsigned hash = 5381;
    for (Py_ssize_t i = 0; i < length; i++)
        hash = hash * 33 + lower((unsigned char)bytes[i]);
    return hash & (NAME_SLOTS - 1);
}

static int same_bytes(const char *a, const char *b, Py_ssize_t length) {
    for (Py_ssize_t i = 0; i < length; i++)
        if (lower((unsigned char)a[i]) != lower((unsigned char)b[i]))
            return 0;
    return 1;
}

static int same_name(const Name *a, const Name *b) {
    if (a->code || b->code)
        return a->code == b->code;
    return a->length == b->length && same_bytes(a->bytes, b->bytes, a->length);
}

static Name name_of(const Estimate *e, const char *bytes, Py_ssize_t length) {
    unsigned at = length < 32 ? hash_of(bytes, length) : 0;
    for (; length < 32 && e->slots[at]; at = (at + 1) & (NAME_SLOTS - 1)) {
        const Name *name = &e->names[e->slots[at]];
        if (name->length == length && same_bytes(name->bytes, bytes, length))
            return *name;
    }
    return (Name){bytes, length, 0, 0};
}

static int is_named(const Name *name, const char *ascii) {
    return name->length == (Py_ssize_t)strlen(ascii) && same_bytes(name->bytes, ascii, name->length);
}

/* Formatting elements that are closed and will be opened again. */
static Py_ssize_t closed(const Estimate *e) { return e->active > e->standing ? e->active - e->standing : 0; }

static int excess_of(const Estimate *e) {
    if (e->depth + (TABLE_WEIGHT - 1) * e->tables + closed(e) > e->limits[0])
        return DEPTH;
    if (e->reopened > e->limits[2])
        return REOPENED;
    return e->options > e->limits[3] ? OPTIONS : NONE;
}

static void pop(Estimate *e, Py_ssize_t size) {
    while (e->depth > size) {
        const uint32_t flags = e->open[--e->depth].flags;
        e->standing -= (flags & FORMATTING) != 0;
        e->tables -= (flags & TABLE) != 0;
        e->foreign -= (flags & FOREIGN) != 0;
    }
}

static void close_name(Estimate *e, const Name *name, uint32_t boundary, int also) {
    const Py_ssize_t last = e->depth - e->limits[4] > 0 ? e->depth - e->limits[4] : 0;
    for (Py_ssize_t at = e->depth - 1; at >= last; at--) {
        if (same_name(&e->open[at], name)) {
            pop(e, at);
            return;
        }
        if (e->open[at].flags & boundary || (also && e->open[at].code == also))
            return;
    }
}

static void close_last(Estimate *e, const Name *name) {
    if (e->depth && same_name(&e->open[e->depth - 1], name))
        pop(e, e->depth - 1);
}

static void row_context(Estimate *e, uint32_t flags) {
    const uint32_t ended = (flags | (flags & (ROW | SECTION) ? CELL : 0) | (flags & SECTION ? ROW : 0)) & IN_TABLE;
    const Py_ssize_t last = e->depth - e->limits[4] > 0 ? e->depth - e->limits[4] : 0;
    Py_ssize_t lowest = -1;
    for (Py_ssize_t at = e->depth - 1; at >= last && !(e->open[at].flags & TABLE); at--)
        if (e->open[at].flags & ended)
            lowest = at;
    if (lowest >= 0)
        pop(e, lowest);
}

static void start_tag(Estimate *e, const Name *name, int is_closed) {
    const uint32_t flags = name->flags;
    if (flags & (SPECIAL | FORMATTING))
        e->reopened += closed(e);
    if (flags & CLOSES_P) {
        const Name paragraph = name_of(e, "p", 1);
        close_name(e, &paragraph, SCOPE, name_of(e, "button", 6).code);
    }
    if (flags & GROUP)
        close_name(e, name, SPECIAL, 0);
    if (is_named(name, "dd") || is_named(name, "dt")) {
        const Name other = name_of(e, is_named(name, "dd") ? "dt" : "dd", 2);
        close_name(e, &other, SPECIAL, 0);
    }
    if (flags & ALONE && !is_named(name, "form"))
        close_last(e, name);
    if (flags & SINGLE)
        close_name(e, name, SPECIAL, 0);
    if (flags & IN_TABLE && e->tables)
        row_context(e, flags);
    if (is_named(name, "select"))
        e->options = 0;
    e->options += (flags & OPTION) != 0;
    const int is_phantom = flags & IN_TABLE && !e->tables && !e->foreign;
    if (flags & (VOID | IGNORED) || is_phantom || (is_closed && e->foreign))
        return;
    if (flags & FORMATTING && !(flags & SINGLE && e->formatting[name->code])) {
        e->formatting[name->code]++;
        e->active++;
    }
    e->open[INDEX(e->depth, e->limits[0] + 2)] = *name; /* there is room for one more than the limit */
    e->depth++;
    e->standing += (flags & FORMATTING) != 0;
    e->tables += (flags & TABLE) != 0;
    e->foreign += (flags & FOREIGN) != 0;
}

static void end_tag(Estimate *e, const Name *name) {
    const uint32_t flags = name->flags;
    if (flags & FORMATTING && e->formatting[name->code]) {
        e->formatting[name->code]--;
        e->active--;
    }
    if (flags & ALONE)
        close_last(e, name);
    else if (flags & (IN_TABLE | TABLE))
        close_name(e, name, TABLE, 0);
    else
        close_name(e, name, flags & SPECIAL ? SCOPE : SPECIAL, 0);
}

static Py_ssize_t find(const Estimate *e, Py_ssize_t at, char wanted) {
    const char *found = at < e->size ? memchr(e->bytes + at, wanted, (size_t)(e->size - at)) : NULL;
    return found ? found - e->bytes : e->size;
}

static int stands_at(const Estimate *e, Py_ssize_t at, const char *ascii) {
    const Py_ssize_t length = (Py_ssize_t)strlen(ascii);
    return at + length <= e->size && !memcmp(e->bytes + at, ascii, (size_t)length);
}

typedef struct {
    Name name;
    Py_ssize_t attributes, end;
    int is_closed;
} Tag;

#define AT(i) ((unsigned char)e->bytes[i])

static Py_ssize_t behind_value(const Estimate *e, Py_ssize_t at) {
    while (at < e->size && is_blank(AT(at)))
        at++;
    if (at >= e->size)
        return e->size;
    if (AT(at) == '"' || AT(at) == '\'') {
        const Py_ssize_t quote = find(e, at + 1, (char)AT(at));
        return quote < e->size ? quote + 1 : e->size;
    }
    while (at < e->size && !is_blank(AT(at)) && AT(at) != '>')
        at++;
    return at;
}

static Tag tag_at(const Estimate *e, Py_ssize_t start) {
    Py_ssize_t at = start, count = 0;
    while (at < e->size && !is_blank(AT(at)) && AT(at) != '/' && AT(at) != '>')
        at++;
    const Name name = name_of(e, e->bytes + start, at - start);
    while (at < e->size) {
        while (at < e->size && (is_blank(AT(at)) || AT(at) == '/'))
            at++;
        if (at < e->size && AT(at) == '>')
            return (Tag){name, count, at + 1, AT(at - 1) == '/'};
        count += at < e->size;
        at++;
        while (at < e->size && !is_blank(AT(at)) && AT(at) != '/' && AT(at) != '>' && AT(at) != '=')
            at++;
        at = at < e->size ? at : e->size;
        Py_ssize_t behind = at;
        while (behind < e->size && is_blank(AT(behind)))
            behind++;
        if (behind < e->size && AT(behind) == '=')
            at = behind_value(e, behind + 1);
    }
    return (Tag){name, count, e->size, 0};
}

static Py_ssize_t behind_raw(const Estimate *e, const Name *name, Py_ssize_t at) {
    if (e->foreign || !(name->flags & RAW))
        return at;
    if (is_named(name, "plaintext"))
        return e->size;
    for (; (at = find(e, at, '<')) < e->size; at++) {
        const Py_ssize_t behind = at + 2 + name->length;
        if (behind < e->size && AT(at + 1) == '/' && same_bytes(e->bytes + at + 2, name->bytes, name->length) &&
            (is_blank(AT(behind)) || AT(behind) == '/' || AT(behind) == '>'))
            return at;
    }
    return e->size;
}

static Py_ssize_t behind_comment(const Estimate *e, Py_ssize_t at) {
    for (; (at = find(e, at, '-')) < e->size; at++) {
        if (stands_at(e, at, "-->"))
            return at + 3;
        if (stands_at(e, at, "--!>"))
            return at + 4;
    }
    return e->size;
}

static Py_ssize_t behind_section(const Estimate *e, Py_ssize_t at) {
    for (; (at = find(e, at, ']')) < e->size; at++)
        if (stands_at(e, at, "]]>"))
            return at + 1;
    return e->size;
}

static int run(Estimate *e) {
    Py_ssize_t at = find(e, 0, '<'), marked = 0;
    for (; at < e->size && !excess_of(e); at = find(e, at, '<')) {
        const unsigned char mark = at + 1 < e->size ? AT(at + 1) : 0;
        if (is_letter(mark)) {
            const Tag tag = tag_at(e, at + 1);
            if (tag.attributes > e->limits[1])
                return ATTRIBUTES;
            const int is_marked = at < marked;
            at = !is_marked || tag.end < marked ? tag.end : marked > at + 1 ? marked : at + 1;
            if (at < e->size || AT(e->size - 1) == '>') {
                start_tag(e, &tag.name, tag.is_closed);
                at = is_marked ? at : behind_raw(e, &tag.name, at);
            }
        } else if (mark == '/' && at + 2 < e->size && is_letter(AT(at + 2))) {
            const Tag tag = tag_at(e, at + 2);
            if (at >= marked)
                end_tag(e, &tag.name);
            at = at >= marked ? tag.end : at + 2;
        } else if (stands_at(e, at, "<!--") && at >= marked)
            at = behind_comment(e, at + 2);
        else if (e->foreign && stands_at(e, at, "<![CDATA[")) {
            at += 9;
            if (at >= marked)
                marked = behind_section(e, at);
        } else if ((mark == '!' || mark == '?' || mark == '/') && at >= marked) {
            at = find(e, at, '>');
            at = at < e->size ? at + 1 : e->size;
        } else
            at++;
    }
    return excess_of(e);
}

static int fill_names(Estimate *e, PyObject *names, const uint32_t *flags) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); i++) {
        Py_ssize_t length;
        const char *bytes = PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(names, i), &length);
        if (!bytes)
            return -1;
        unsigned at = hash_of(bytes, length);
        while (e->slots[at])
            at = (at + 1) & (NAME_SLOTS - 1);
        e->names[i + 1] = (Name){bytes, length, (int)i + 1, flags[i]};
        e->slots[at] = (int16_t)(i + 1);
    }
    return 0;
}

PyDoc_STRVAR(excess_doc, "excess(utf8, names, flags, depth, attributes, reopened, options, reach) -> int; parser_limits.py.");

static PyObject *excess(PyObject *module, PyObject *args) {
    Estimate *e = calloc(1, sizeof *e);
    PyObject *body, *names;
    const char *flags;
    Py_ssize_t flags_size;
    long found = -1;
    if (!e)
        return PyErr_NoMemory();
    if (PyArg_ParseTuple(args, "SO!y#nnnnn", &body, &PyTuple_Type, &names, &flags, &flags_size, &e->limits[0],
                         &e->limits[1], &e->limits[2], &e->limits[3], &e->limits[4]) &&
        !demand(PyTuple_GET_SIZE(names) < MOST_NAMES && flags_size == 4 * PyTuple_GET_SIZE(names) &&
                    e->limits[0] >= 0 && e->limits[0] < 1 << 20 && e->limits[4] > 0,
                "flags of each name, and limits above 0")) {
        uint32_t flag_words[MOST_NAMES];
        memcpy(flag_words, flags, (size_t)flags_size);
        e->bytes = PyBytes_AS_STRING(body);
        e->size = PyBytes_GET_SIZE(body);
        e->open = malloc(((size_t)e->limits[0] + 2) * sizeof *e->open);
        if (!e->open)
            PyErr_NoMemory();
        else if (!fill_names(e, names, flag_words))
            found = run(e);
    }
    free(e->open);
    free(e);
    return PyErr_Occurred() ? NULL : PyLong_FromLong(found);
}

static PyMethodDef METHODS[] = {{"excess", excess, METH_VARARGS, excess_doc}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef MODULE = {
    .m_base = PyModuleDef_HEAD_INIT, .m_name = "_parser_limits", .m_doc = "Nesting estimated.", .m_methods = METHODS};

PyMODINIT_FUNC PyInit__parser_limits(void) { return PyModule_Create(&MODULE); }
