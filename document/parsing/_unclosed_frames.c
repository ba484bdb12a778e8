/* Whether a noscript leaves an element of raw text open: document/parsing/unclosed_frames.py is the definition. */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <string.h>

enum { NAMES = 7, NAME = 8 };
static const char *const RAW[NAMES] = {"iframe", "noembed", "noframes", "style", "textarea", "title", "xmp"};
static const char *const AROUND[2] = {"noscript", "NOSCRIPT"}; /* pages write it in one of these ways */

typedef struct {
    const char *bytes, *end;
} Page;

static inline int lower(char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

static int names(const Page *page, const char *at, const char *name) {
    for (; *name; name++, at++)
        if (at >= page->end || lower(*at) != *name)
            return 0;
    return 1;
}

/* The name of raw text that a start tag begins with, and a blank, "/" or ">" behind it; NULL if none. */
static const char *raw_at(const Page *page, const char *at) {
    for (int i = 0; i < NAMES; i++) {
        const char *behind = at + strlen(RAW[i]);
        if (names(page, at, RAW[i]) && behind < page->end && *behind && strchr(" \t\n\r\f\v/>", *behind))
            return RAW[i];
    }
    return NULL;
}

static int has_one(const Page *page) {
    const char *open[2] = {NULL, NULL}; /* of raw text in a noscript written in either way */
    int inside[2] = {0, 0};
    for (const char *at = page->bytes; (at = memchr(at, '<', (size_t)(page->end - at))); ) {
        const char *name = ++at;
        const int is_end = name < page->end && *name == '/';
        name += is_end;
        for (int i = 0; i < 2; i++) {
            if (page->end - name >= NAME && !memcmp(name, AROUND[i], NAME)) {
                if (is_end && inside[i] && open[i])
                    return 1;
                inside[i] = !is_end;
                open[i] = NULL;
            } else if (inside[i] && !is_end && !open[i])
                open[i] = raw_at(page, name);
            else if (inside[i] && is_end && open[i] && names(page, name, open[i]))
                open[i] = NULL;
        }
    }
    return 0;
}

PyDoc_STRVAR(are_there_doc, "are_there(utf8) -> bool; see document/parsing/unclosed_frames.py.");

static PyObject *are_there(PyObject *module, PyObject *utf8) {
    if (!PyBytes_Check(utf8))
        return PyErr_Format(PyExc_TypeError, "a page is bytes");
    const Page page = {PyBytes_AS_STRING(utf8), PyBytes_AS_STRING(utf8) + PyBytes_GET_SIZE(utf8)};
    return PyBool_FromLong(has_one(&page));
}

static PyMethodDef METHODS[] = {{"are_there", are_there, METH_O, are_there_doc}, {NULL, NULL, 0, NULL}};
static struct PyModuleDef MODULE = {.m_base = PyModuleDef_HEAD_INIT,
                                    .m_name = "_unclosed_frames",
                                    .m_doc = "Raw text left open in a noscript.",
                                    .m_methods = METHODS};

PyMODINIT_FUNC PyInit__unclosed_frames(void) { return PyModule_Create(&MODULE); }
