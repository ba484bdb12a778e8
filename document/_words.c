/* The counting of words (words.py, piece_counts), compiled.
 *
 * That file is the definition; what is counted here is tested equal. Nothing here keeps a reference to its
 * arguments.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>

/* words.py */
enum { BLANK, SYMBOL, WORD, IDEOGRAPH, MARK };
#define BMP 0x10000

typedef struct {
    int kind;
    const void *data;
    const uint8_t *table; /* of the basic multilingual plane */
    PyObject *class_of;   /* asked about the others */
} Text;

static int ask(const Text *text, Py_UCS4 character) {
    PyObject *said = PyUnicode_FromOrdinal((int)character);
    PyObject *class = said ? PyObject_CallOneArg(text->class_of, said) : NULL;
    const long found = class ? PyLong_AsLong(class) : -1;
    Py_XDECREF(said);
    Py_XDECREF(class);
    return (int)found;
}

/* Words and symbols of text[start:end], a tag on either side of it; -1 on an error. */
static inline int count(const Text *text, int kind, int32_t start, int32_t end, int32_t *words, int32_t *symbols) {
    int goes_on = 0;
    *words = *symbols = 0;
    for (int32_t i = start; i < end; i++) {
        const Py_UCS4 character = PyUnicode_READ(kind, text->data, i);
        const int class = character < BMP ? text->table[character] : ask(text, character);
        if (class < 0)
            return -1;
        *words += class == IDEOGRAPH || (class == WORD && !goes_on);
        *symbols += class == SYMBOL;
        goes_on = class == WORD || class == MARK;
    }
    return 0;
}

static int count_all(const Text *text, int kind, const int32_t *start, const int32_t *end, Py_ssize_t pieces,
                     int32_t *words, int32_t *symbols) {
    for (Py_ssize_t i = 0; i < pieces; i++)
        if (count(text, kind, start[i], end[i], &words[i], &symbols[i]))
            return -1;
    return 0;
}

/* One loop a width of characters: the compiler makes each of them narrow. */
static int by_width(const Text *text, const int32_t *start, const int32_t *end, Py_ssize_t pieces, int32_t *words,
                    int32_t *symbols) {
    if (text->kind == PyUnicode_1BYTE_KIND)
        return count_all(text, PyUnicode_1BYTE_KIND, start, end, pieces, words, symbols);
    if (text->kind == PyUnicode_2BYTE_KIND)
        return count_all(text, PyUnicode_2BYTE_KIND, start, end, pieces, words, symbols);
    return count_all(text, PyUnicode_4BYTE_KIND, start, end, pieces, words, symbols);
}

static PyObject *piece_counts(PyObject *self, PyObject *args) {
    PyObject *said;
    Py_buffer starts, ends, table, words, symbols;
    Text text;
    if (!PyArg_ParseTuple(args, "Uy*y*y*Ow*w*", &said, &starts, &ends, &table, &text.class_of, &words, &symbols))
        return NULL;
    text.kind = (int)PyUnicode_KIND(said);
    text.data = PyUnicode_DATA(said);
    text.table = table.buf;
    const int failed = by_width(&text, starts.buf, ends.buf, words.len / 4, words.buf, symbols.buf);
    PyBuffer_Release(&starts);
    PyBuffer_Release(&ends);
    PyBuffer_Release(&table);
    PyBuffer_Release(&words);
    PyBuffer_Release(&symbols);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef METHODS[] = {
    {"piece_counts", piece_counts, METH_VARARGS, "words.piece_counts, compiled."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_words", NULL, -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__words(void) { return PyModule_Create(&MODULE); }
