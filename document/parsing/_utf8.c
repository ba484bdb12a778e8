/* Whether bytes are UTF-8 and nothing of it was lost before: the definition is document/utf8.py,
 * which builds all of the text to see it; this reads the bytes eight at a time and builds nothing.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

typedef struct {
    unsigned char first, last;          /* lead bytes from..to */
    unsigned char low, high;            /* the second byte from..to; those behind it 80..BF */
    unsigned char length;
} Form;

/* Unicode, table 3-7: well-formed UTF-8 byte sequences of two bytes and more. */
static const Form FORMS[] = {
    {0xC2, 0xDF, 0x80, 0xBF, 2}, {0xE0, 0xE0, 0xA0, 0xBF, 3}, {0xE1, 0xEC, 0x80, 0xBF, 3},
    {0xED, 0xED, 0x80, 0x9F, 3}, {0xEE, 0xEF, 0x80, 0xBF, 3}, {0xF0, 0xF0, 0x90, 0xBF, 4},
    {0xF1, 0xF3, 0x80, 0xBF, 4}, {0xF4, 0xF4, 0x80, 0x8F, 4},
};

/* Bytes of the character at `at`, 0 if there is none or it is U+FFFD. */
static Py_ssize_t length_at(const unsigned char *at, Py_ssize_t left) {
    const Form *form = FORMS, *end = FORMS + sizeof FORMS / sizeof *FORMS;
    while (form < end && *at > form->last)
        form++;
    if (form == end || *at < form->first || left < form->length || at[1] < form->low || at[1] > form->high)
        return 0;
    for (int i = 2; i < form->length; i++)
        if ((at[i] & 0xC0) != 0x80)
            return 0;
    return memcmp(at, "\xEF\xBF\xBD", form->length < 3 ? form->length : 3) ? form->length : 0;
}

PyDoc_STRVAR(is_whole_doc, "is_whole(body) -> bool; see document/utf8.py.");

static PyObject *is_whole(PyObject *module, PyObject *body) {
    if (!PyBytes_Check(body))
        return PyErr_Format(PyExc_TypeError, "a body is bytes");
    const unsigned char *bytes = (const unsigned char *)PyBytes_AS_STRING(body);
    Py_ssize_t at = 0, size = PyBytes_GET_SIZE(body);
    while (at < size) {
        uint64_t eight;
        if (size - at >= 8 && (memcpy(&eight, bytes + at, 8), !(eight & 0x8080808080808080ULL)))
            at += 8;
        else if (bytes[at] < 0x80)
            at++;
        else {
            Py_ssize_t length = length_at(bytes + at, size - at);
            if (!length)
                Py_RETURN_FALSE;
            at += length;
        }
    }
    Py_RETURN_TRUE;
}

PyDoc_STRVAR(holds_doc, "holds(body, word, rare) -> bool; see document/parsing/tex_scripts.py.");

static PyObject *holds(PyObject *module, PyObject *args) {
    const char *body, *word;
    Py_ssize_t size, length, rare;
    if (!PyArg_ParseTuple(args, "y#y#n", &body, &size, &word, &length, &rare))
        return NULL;
    if (rare < 0 || rare >= length)
        return PyErr_Format(PyExc_ValueError, "rare is an index of the word");
    if (size < length)
        Py_RETURN_FALSE;
    const char *at = body + rare, *end = body + size - (length - rare - 1); /* of the places of the rare byte */
    for (; at < end && (at = memchr(at, word[rare], (size_t)(end - at))); at++)
        if (!memcmp(at - rare, word, (size_t)length))
            Py_RETURN_TRUE;
    Py_RETURN_FALSE;
}

static PyMethodDef METHODS[] = {{"is_whole", is_whole, METH_O, is_whole_doc},
                                {"holds", holds, METH_VARARGS, holds_doc},
                                {NULL, NULL, 0, NULL}};
static struct PyModuleDef MODULE = {
    .m_base = PyModuleDef_HEAD_INIT, .m_name = "_utf8", .m_doc = "UTF-8 checked and searched.", .m_methods = METHODS};

PyMODINIT_FUNC PyInit__utf8(void) { return PyModule_Create(&MODULE); }
