/* A tree of lexbor written out as HTML (HTML standard, 13.3), as lexbor's own serialiser does, which document/parsing/parse.py
 * uses where this is not built or does not fit: eight bytes at a time where that goes byte by byte.
 *
 * It calls functions that lexbor exports for other languages (their names end in _noi), found in selectolax's own
 * module. Where a node keeps its neighbours and its text is written below; ``bind`` compares that with what lexbor's
 * functions say of a page that was made for it, before it follows any such pointer, and refuses what differs.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <dlfcn.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../_checks.h"

/* lexbor/dom/interfaces/node.h and character_data.h */
typedef struct Node {
    void *events;
    uintptr_t name, prefix, space;
    void *document;
    struct Node *next, *before, *parent, *first, *last;
    void *user;
    int type;
    struct {
        const char *data;
        size_t length;
    } text;
} Node;

/* lexbor/html/interfaces/template_element.h */
typedef struct {
    Node node; /* as far as it is known: an element has something else where a text has its characters */
    void *element[8];
    const Node *content;
} Template;

enum { ELEMENT = 1, TEXT = 3, COMMENT = 8, DOCTYPE = 10, DOCUMENT = 9 }; /* DOM standard, 4.4 */
enum { RAW_NAMES = 7 };

static struct {
    const char *(*element_name)(const Node *, size_t *);
    const char *(*attribute_name)(const void *, size_t *);
    const char *(*doctype_name)(const Node *, size_t *);
    const char *(*local_name)(const void *, size_t *);
    const char *(*value)(const void *, size_t *);
    const Node *(*first_attribute)(const Node *), *(*next_attribute)(const Node *);
    int (*type)(const Node *);
    uintptr_t (*name)(const Node *);
    Node *(*next)(const Node *), *(*parent)(const Node *), *(*first)(const Node *);
    char *(*text)(Node *, size_t *);
    unsigned char (*is_void)(const Node *); /* a bool */
} lexbor;

static const struct {
    const char *name;
    void **function;
} FUNCTIONS[] = {
    {"lxb_dom_element_qualified_name", (void **)&lexbor.element_name},
    {"lxb_dom_attr_qualified_name", (void **)&lexbor.attribute_name},
    {"lxb_dom_attr_local_name_noi", (void **)&lexbor.local_name},
    {"lxb_dom_document_type_name_noi", (void **)&lexbor.doctype_name},
    {"lxb_dom_attr_value_noi", (void **)&lexbor.value},
    {"lxb_dom_element_first_attribute_noi", (void **)&lexbor.first_attribute},
    {"lxb_dom_element_next_attribute_noi", (void **)&lexbor.next_attribute},
    {"lxb_dom_node_type_noi", (void **)&lexbor.type},
    {"lxb_dom_node_tag_id_noi", (void **)&lexbor.name},
    {"lxb_dom_node_next_noi", (void **)&lexbor.next},
    {"lxb_dom_node_parent_noi", (void **)&lexbor.parent},
    {"lxb_dom_node_first_child_noi", (void **)&lexbor.first},
    {"lxb_dom_node_text_content", (void **)&lexbor.text},
    {"lxb_html_node_is_void_noi", (void **)&lexbor.is_void},
};
static uintptr_t raw_names[RAW_NAMES], template_name, template_space;
static int is_bound;

/* Whether a node is laid out as lexbor's functions say. */
static int fits(Node *node) {
    if (node->type != lexbor.type(node) || node->name != lexbor.name(node) || node->next != lexbor.next(node) ||
        node->parent != lexbor.parent(node) || node->first != lexbor.first(node))
        return 0;
    if (node->type != TEXT)
        return 1;
    size_t length;
    const char *text = lexbor.text(node, &length);
    return text && length == node->text.length && !memcmp(text, node->text.data, length);
}

static int all_fit(Node *root) {
    for (Node *node = lexbor.first(root); node; node = lexbor.next(node))
        if (!fits(node) || !all_fit(node))
            return 0;
    return 1;
}

PyDoc_STRVAR(bind_doc, "bind(path, root, raw x 7, template, content): use lexbor's functions in that module.\n\n"
                       "root: the address of a node of a page made for it; raw: of elements of each name whose text\n"
                       "stands as it is; template: of such an element, content: of what it holds. ValueError for another lexbor than is known.");

static PyObject *bind(PyObject *module, PyObject *args) {
    const char *path;
    unsigned long long root, raw[RAW_NAMES], template, content;
    if (!PyArg_ParseTuple(args, "sKKKKKKKKKK", &path, &root, raw, raw + 1, raw + 2, raw + 3, raw + 4, raw + 5, raw + 6,
                          &template, &content))
        return NULL;
    void *library = dlopen(path, RTLD_NOW | RTLD_NOLOAD);
    if (demand(library != NULL, "lexbor is not loaded from that path"))
        return NULL;
    is_bound = 1;
    for (size_t i = 0; i < sizeof FUNCTIONS / sizeof *FUNCTIONS; i++) {
        *FUNCTIONS[i].function = dlsym(library, FUNCTIONS[i].name);
        is_bound &= *FUNCTIONS[i].function != NULL;
    }
    dlclose(library); /* selectolax's module stays loaded */
    is_bound = is_bound && all_fit((Node *)(uintptr_t)root) &&
               ((Template *)(uintptr_t)template)->content == (Node *)(uintptr_t)content;
    for (int i = 0; is_bound && i < RAW_NAMES; i++)
        raw_names[i] = lexbor.name((Node *)(uintptr_t)raw[i]);
    template_name = is_bound ? lexbor.name((Node *)(uintptr_t)template) : 0;
    template_space = is_bound ? ((Node *)(uintptr_t)template)->space : 0;
    if (demand(is_bound, "another lexbor than is known"))
        return NULL;
    Py_RETURN_NONE;
}

typedef struct {
    char *bytes;
    size_t size, capacity;
} Buffer;

enum { STEP = 8 };

/* Room for so many bytes and a step: 0, or -1 without memory. */
static inline int reserve(Buffer *out, size_t more) {
    if (out->size + more + STEP <= out->capacity)
        return 0;
    const size_t capacity = 2 * out->capacity + more + STEP;
    char *bytes = realloc(out->bytes, capacity);
    if (!bytes)
        return -1;
    out->bytes = bytes;
    out->capacity = capacity;
    return 0;
}

static inline int put(Buffer *out, const char *bytes, size_t length) {
    if (reserve(out, length))
        return -1;
    memcpy(out->bytes + out->size, bytes, length);
    out->size += length;
    return 0;
}

#define EACH_BYTE 0x0101010101010101ULL

/* Not 0 where one of eight bytes is that one. */
static inline uint64_t has(uint64_t bytes, unsigned char wanted) {
    const uint64_t rest = bytes ^ (EACH_BYTE * wanted);
    return (rest - EACH_BYTE) & ~rest & (EACH_BYTE << 7);
}

static inline int is_plain(uint64_t bytes) {
    return !(has(bytes, '&') | has(bytes, '<') | has(bytes, '>') | has(bytes, '"') | has(bytes, 0xC2));
}

/* What stands for a character, NULL for itself; U+00A0 has two bytes. */
static inline const char *escape_of(const unsigned char *at, const unsigned char *end, int in_attribute) {
    switch (*at) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return in_attribute ? "&quot;" : NULL;
    case 0xC2: return at + 1 < end && at[1] == 0xA0 ? "&nbsp;" : NULL;
    default: return NULL;
    }
}

/* "Escaping a string" (13.3). */
static int put_escaped(Buffer *out, const char *bytes, size_t length, int in_attribute) {
    const unsigned char *at = (const unsigned char *)bytes, *end = at + length, *stop;
    if (reserve(out, length))
        return -1;
    char *to = out->bytes + out->size;
    while (at < end) {
        uint64_t step;
        if (end - at >= STEP && (memcpy(&step, at, STEP), is_plain(step))) {
            memcpy(to, &step, STEP);
            to += STEP;
            at += STEP;
            continue;
        }
        for (stop = end - at > STEP ? at + STEP : end; at < stop; at++) {
            const char *escaped = escape_of(at, end, in_attribute);
            if (!escaped) {
                *to++ = (char)*at;
                continue;
            }
            out->size = (size_t)(to - out->bytes);
            if (put(out, escaped, strlen(escaped)) || reserve(out, (size_t)(end - at)))
                return -1;
            to = out->bytes + out->size;
            at += *at == 0xC2;
        }
    }
    out->size = (size_t)(to - out->bytes);
    return 0;
}

static int put_attribute(Buffer *out, const Node *attribute) {
    size_t length;
    const char *name = attribute->space ? lexbor.attribute_name(attribute, &length) : lexbor.local_name(attribute, &length);
    if (put(out, " ", 1) || put(out, name, length) || put(out, "=\"", 2))
        return -1;
    const char *value = lexbor.value(attribute, &length);
    return (value && put_escaped(out, value, length, 1)) || put(out, "\"", 1);
}

static int put_start_tag(Buffer *out, const Node *node) {
    size_t length;
    const char *name = lexbor.element_name(node, &length);
    if (put(out, "<", 1) || put(out, name, length))
        return -1;
    for (const Node *each = lexbor.first_attribute(node); each; each = lexbor.next_attribute(each))
        if (put_attribute(out, each))
            return -1;
    return put(out, ">", 1);
}

static int put_end_tag(Buffer *out, const Node *node) {
    size_t length;
    const char *name = lexbor.element_name(node, &length);
    return put(out, "</", 2) || put(out, name, length) || put(out, ">", 1);
}

static int put_text(Buffer *out, const Node *node) {
    for (int i = 0; node->parent && i < RAW_NAMES; i++)
        if (node->parent->name == raw_names[i])
            return put(out, node->text.data, node->text.length);
    return put_escaped(out, node->text.data, node->text.length, 0);
}

static int put_comment(Buffer *out, const Node *node) {
    return put(out, "<!--", 4) || put(out, node->text.data, node->text.length) || put(out, "-->", 3);
}

static int put_doctype(Buffer *out, const Node *node) {
    size_t length;
    const char *name = lexbor.doctype_name(node, &length);
    return put(out, "<!DOCTYPE ", 10) || (length && put(out, name, length)) || put(out, ">", 1);
}

enum { WRITTEN, NO_MEMORY, UNKNOWN };

/* What stands before a node's content; UNKNOWN for what is left to lexbor's own serialiser. */
static int put_node(Buffer *out, const Node *node) {
    int failed;
    if (node->type == ELEMENT)
        failed = put_start_tag(out, node);
    else if (node->type == TEXT)
        failed = put_text(out, node);
    else if (node->type == COMMENT)
        failed = put_comment(out, node);
    else if (node->type == DOCTYPE)
        failed = put_doctype(out, node);
    else
        return UNKNOWN;
    return failed ? NO_MEMORY : WRITTEN;
}

static int put_tree(Buffer *out, const Node *root);

/* What an element holds that is not in the tree: a template's content. */
static int put_content(Buffer *out, const Node *node) {
    const Node *content = ((const Template *)node)->content, *inner = content ? content->first : NULL;
    int state = WRITTEN;
    for (; inner && state == WRITTEN; inner = inner->next)
        state = put_tree(out, inner);
    return state;
}

/* A node and all in it; recursion in templates alone, whose depth document/parsing/parser_limits.py bounds. */
static int put_tree(Buffer *out, const Node *root) {
    const Node *node = root;
    for (;;) {
        int state = put_node(out, node);
        if (state == WRITTEN && node->name == template_name && node->space == template_space)
            state = put_content(out, node);
        if (state != WRITTEN)
            return state;
        if (node->type == ELEMENT && node->first && !lexbor.is_void(node)) {
            node = node->first;
            continue;
        }
        for (;; node = node->parent) {
            if (node->type == ELEMENT && !lexbor.is_void(node) && put_end_tag(out, node))
                return NO_MEMORY;
            if (node == root)
                return WRITTEN;
            if (node->next)
                break;
        }
        node = node->next;
    }
}

PyDoc_STRVAR(markup_doc, "markup(root, size) -> str | None: the page that a node is the root element of.\n\n"
                         "root: its address, in a tree that lives; size: of the page, roughly. None for a page with a\n"
                         "processing instruction.");

static PyObject *markup(PyObject *module, PyObject *args) {
    unsigned long long address;
    Py_ssize_t size;
    if (!PyArg_ParseTuple(args, "Kn", &address, &size) || demand(is_bound && address && size >= 0, "bind comes first"))
        return NULL;
    const Node *root = (const Node *)(uintptr_t)address;
    if (demand(root->parent && root->parent->type == DOCUMENT, "not the root element"))
        return NULL;
    Buffer out = {NULL, 0, 0};
    int state = reserve(&out, (size_t)(size + size / 8)) ? NO_MEMORY : WRITTEN;
    for (const Node *node = root->parent->first; node && state == WRITTEN; node = node->next)
        state = put_tree(&out, node);
    PyObject *found = state == WRITTEN     ? PyUnicode_DecodeUTF8(out.bytes, (Py_ssize_t)out.size, "replace")
                      : state == NO_MEMORY ? PyErr_NoMemory()
                                           : Py_NewRef(Py_None);
    free(out.bytes);
    return found;
}

static PyMethodDef METHODS[] = {{"bind", bind, METH_VARARGS, bind_doc},
                                {"markup", markup, METH_VARARGS, markup_doc},
                                {NULL, NULL, 0, NULL}};
static struct PyModuleDef MODULE = {
    .m_base = PyModuleDef_HEAD_INIT, .m_name = "_tree_writer", .m_doc = "Trees written out.", .m_methods = METHODS};

PyMODINIT_FUNC PyInit__tree_writer(void) { return PyModule_Create(&MODULE); }
