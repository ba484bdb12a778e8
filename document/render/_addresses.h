/* Addresses that are ready: plain absolute ones, and those below a site's root, of which nothing has to be resolved, stripped
 * or quoted. document/render/addresses.py is the definition (_READY, _READY_BELOW_ROOT) and says why.
 */
#ifndef WINNOW_ADDRESSES_H
#define WINNOW_ADDRESSES_H
#define PY_SSIZE_T_CLEAN
#include <Python.h>

/* What is written before an absolute address and before one below the root, escaped where a link's start tag is written; None
 * where such addresses are not ready. */
typedef struct {
    PyObject *absolute, *below; /* borrowed */
} Roots;

static int has_roots(const Roots *roots) {
    return (roots->absolute == Py_None || PyUnicode_Check(roots->absolute)) &&
           (roots->below == Py_None || PyUnicode_Check(roots->below));
}

typedef struct {
    int kind;
    const void *data;
} Chars;

#define CHAR(c, i) PyUnicode_READ((c)->kind, (c)->data, i)

static Chars chars_of(PyObject *text) { return (Chars){PyUnicode_KIND(text), PyUnicode_DATA(text)}; }

/* Whether an ASCII word stands at a place before the end; `length` of it. */
static int stands_at(const Chars *c, Py_ssize_t at, Py_ssize_t end, const char *word, Py_ssize_t length) {
    if (end - at < length)
        return 0;
    for (Py_ssize_t i = 0; i < length; i++)
        if (CHAR(c, at + i) != (Py_UCS4)(unsigned char)word[i])
            return 0;
    return 1;
}

static int is_digit(Py_UCS4 c) { return c >= '0' && c <= '9'; }

static int is_of_host(Py_UCS4 c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '.' || c == '-';
}

/* Where the path of an absolute web address begins; -1 if it is none. */
static Py_ssize_t path_of(const Chars *c, Py_ssize_t at, Py_ssize_t end) {
    if (stands_at(c, at, end, "https://", 8))
        at += 8;
    else if (stands_at(c, at, end, "http://", 7))
        at += 7;
    else
        return -1;
    const Py_ssize_t host = at;
    while (at < end && is_of_host(CHAR(c, at)))
        at++;
    if (at == host || CHAR(c, host) == '.')
        return -1;
    if (at < end && CHAR(c, at) == ':') {
        const Py_ssize_t port = ++at;
        while (at < end && is_digit(CHAR(c, at)))
            at++;
        if (at == port)
            return -1;
    }
    return at < end && CHAR(c, at) == '/' ? at : -1;
}

/* Whether what follows is a path that is ready, with its query. `escaped`: it stands in markup, where an ampersand is written
 * as a reference, and nothing else is that would be read or written as one. */
static int is_ready_path(const Chars *c, Py_ssize_t at, Py_ssize_t end, int escaped) {
    Py_ssize_t query = -1;
    for (; at < end; at++) {
        const Py_UCS4 one = CHAR(c, at);
        if (one <= ' ' || one == '#' || (one == '/' && at + 1 < end && CHAR(c, at + 1) == '.'))
            return 0;
        if (escaped && (one == '<' || one == '>' || one == '\'' || one == '"'))
            return 0;
        if (escaped && one == '&') {
            if (!stands_at(c, at, end, "&amp;", 5))
                return 0;
            at += 4;
        } else if (one == '?' && query < 0) {
            query = at;
        } else if (one == ';' && query < 0) {
            return 0;
        }
    }
    return query < 0 || query + 1 < end;
}

/* What stands before an address that is ready; NULL if it is not. Borrowed. */
static PyObject *root_of(const Chars *c, Py_ssize_t at, Py_ssize_t end, const Roots *roots, int escaped) {
    const int below = at < end && CHAR(c, at) == '/';
    if (below && at + 1 < end && CHAR(c, at + 1) == '/')
        return NULL;
    const Py_ssize_t path = below ? at : path_of(c, at, end);
    PyObject *root = below ? roots->below : roots->absolute;
    return path >= 0 && root != Py_None && is_ready_path(c, path, end, escaped) ? root : NULL;
}

/* Whether a name is this one (ASCII, in lower case) in letters of either case. */
static int is_named(const Chars *c, Py_ssize_t at, Py_ssize_t end, const char *name, Py_ssize_t length) {
    int differs = end - at != length;
    for (Py_ssize_t i = 0; !differs && i < length; i++)
        differs = (CHAR(c, at + i) | 0x20) != (Py_UCS4)(unsigned char)name[i];
    return !differs;
}

/* Whether an attribute of that name (ASCII, in lower case) may stand in a start tag. */
static int has_attribute(PyObject *markup, Py_ssize_t at, Py_ssize_t end, PyObject *name) {
    const Chars chars = chars_of(markup), *c = &chars;
    const Py_ssize_t length = PyUnicode_GET_LENGTH(name);
    const char *wanted = (const char *)PyUnicode_1BYTE_DATA(name);
    for (; at + length + 1 < end; at++)
        if (CHAR(c, at) == ' ' && CHAR(c, at + length + 1) == '=' && is_named(c, at + 1, at + 1 + length, wanted, length))
            return 1;
    return 0;
}

/* The start tag of a link with an address that is ready and nothing else that counts, owned; NULL with no error set for any
 * other one. */
static PyObject *plain_link(PyObject *markup, Py_ssize_t at, Py_ssize_t end, const Roots *roots) {
    const Chars chars = chars_of(markup), *c = &chars;
    Py_ssize_t start = -1, stop = -1;
    for (; at < end; at++) {
        if (CHAR(c, at) != ' ')
            continue;
        Py_ssize_t behind, value, quote;
        if (!attribute_behind(c->kind, c->data, at, end, &behind, &value, &quote))
            continue;
        const int is_href = behind - at == 5 && stands_at(c, at + 1, behind, "href", 4);
        if (!is_href && (is_named(c, at + 1, behind, "href", 4) || is_named(c, at + 1, behind, "title", 5)))
            return NULL;
        if (is_href && start < 0) {
            start = value;
            stop = quote;
        }
        at = quote;
    }
    PyObject *root = start < 0 ? NULL : root_of(c, start, stop, roots, 1);
    PyObject *address = root ? PyUnicode_Substring(markup, start, stop) : NULL;
    PyObject *found = address ? PyUnicode_FromFormat("<a href=\"%U%U\">", root, address) : NULL;
    Py_XDECREF(address);
    return found;
}

/* What `re` takes for white space in ASCII. */
static int is_blank(Py_UCS4 c) { return c == ' ' || (c >= 9 && c <= 13) || (c >= 28 && c <= 31); }

/* Append one candidate of a srcset; -1 at an error. */
static int put_candidate(PyObject *parts, PyObject *root, PyObject *set, const Py_ssize_t *bounds) {
    PyObject *address = PyUnicode_Substring(set, bounds[0], bounds[1]), *size = PyUnicode_Substring(set, bounds[2], bounds[3]);
    PyObject *part = NULL;
    if (address && size)
        part = PyUnicode_FromFormat(bounds[2] < bounds[3] ? "%U%U %U" : "%U%U%U", root, address, size);
    const int failed = part ? PyList_Append(parts, part) : -1;
    Py_XDECREF(address);
    Py_XDECREF(size);
    Py_XDECREF(part);
    return failed;
}

/* Append all candidates; 1, 0 if one of them is not ready, -1 at an error. */
static int put_candidates(PyObject *parts, PyObject *set, const Roots *roots) {
    const Chars chars = chars_of(set), *c = &chars;
    const Py_ssize_t size = PyUnicode_GET_LENGTH(set);
    for (Py_ssize_t at = 0; at < size;) {
        while (at < size && (is_blank(CHAR(c, at)) || CHAR(c, at) == ','))
            at++;
        const Py_ssize_t start = at;
        while (at < size && !is_blank(CHAR(c, at)))
            at++;
        Py_ssize_t stop = at;
        while (stop > start && CHAR(c, stop - 1) == ',')
            stop--;
        if (stop - start < 2) {
            if (start == size)
                return 1;
            at = start + 1;
            continue;
        }
        Py_ssize_t number = stop;
        while (number < size && is_blank(CHAR(c, number)))
            number++;
        Py_ssize_t behind = number;
        while (behind < size && (is_digit(CHAR(c, behind)) || CHAR(c, behind) == '.'))
            behind++;
        const Py_UCS4 unit = behind < size ? CHAR(c, behind) : 0;
        const int is_sized = number > stop && behind > number && (unit == 'w' || unit == 'x' || unit == 'h');
        const Py_ssize_t bounds[] = {start, stop, is_sized ? number : 0, is_sized ? behind + 1 : 0};
        PyObject *root = root_of(c, start, stop, roots, 0);
        if (!root || put_candidate(parts, root, set, bounds) < 0)
            return root ? -1 : 0;
        for (at = is_sized ? behind + 1 : stop; at < size && CHAR(c, at) != ',';)
            at++;
        at++;
    }
    return 1;
}

PyDoc_STRVAR(ready_set_doc, "ready_set(srcset, absolute, below) -> str; see document/render/addresses.py.");

static PyObject *ready_set(PyObject *module, PyObject *args) {
    PyObject *set;
    Roots roots;
    if (!PyArg_ParseTuple(args, "UUU", &set, &roots.absolute, &roots.below))
        return NULL;
    if (!PyUnicode_GET_LENGTH(roots.below))
        roots.below = Py_None;
    PyObject *parts = PyList_New(0), *comma = PyUnicode_FromString(", "), *found = NULL;
    const int state = parts && comma ? (PyUnicode_IS_ASCII(set) ? put_candidates(parts, set, &roots) : 0) : -1;
    if (state > 0)
        found = PyUnicode_Join(comma, parts);
    else if (!state)
        found = PyUnicode_FromString("");
    Py_XDECREF(parts);
    Py_XDECREF(comma);
    return found;
}

#endif
