/* The hot loop of extractors/mss/vocabulary.py, compiled: the hashes of a text's words, from a table that forgets.
 *
 * vocabulary.py is the definition; what is found here is tested equal to it. The table is the caller's: nothing is
 * allocated here but the answer. A slot holds a word as UTF-8 with its hash; a word may stand in WAYS slots in a row,
 * so that no page can make a look-up longer than that.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

enum { WAYS = 4, KEY = 40, LONGEST = KEY - 1 }; /* bytes; the first of a key is its length, the rest zeros */

typedef struct {
    uint64_t value;
    uint8_t key[KEY]; /* all zeros: free */
} Slot;

/* The word text[from:to] as a key; 0 where it is too long for one. */
static int key_of(int kind, const void *text, Py_ssize_t from, Py_ssize_t to, uint8_t *key) {
    int length = 0;
    memset(key, 0, KEY);
    for (; from < to; from++) {
        Py_UCS4 c = PyUnicode_READ(kind, text, from);
        int more = c < 0x80 ? 0 : c < 0x800 ? 1 : c < 0x10000 ? 2 : 3;
        if (length + more >= LONGEST)
            return 0;
        static const uint8_t LEAD[] = {0, 0xC0, 0xE0, 0xF0};
        key[++length] = (uint8_t)(LEAD[more] | c >> 6 * more);
        while (more--)
            key[++length] = (uint8_t)(0x80 | (c >> 6 * more & 0x3F));
    }
    key[0] = (uint8_t)length;
    return length;
}

static uint64_t mixed(const uint8_t *key) {
    uint64_t parts[KEY / 8], sum = 0;
    memcpy(parts, key, KEY);
    for (int i = 0; i < KEY / 8; i++) {
        sum = (sum ^ parts[i]) * 0x9E3779B97F4A7C15u;
        sum ^= sum >> 29;
    }
    return sum;
}

/* The slot that holds the key, else a free one of its slots, else the one whose turn it is. */
static Slot *slot_of(Slot *slots, const uint8_t *key, uint64_t hash) {
    for (int way = 0; way < WAYS; way++)
        if (!slots[way].key[0] || !memcmp(slots[way].key, key, KEY))
            return slots + way;
    return slots + (hash >> 60) % WAYS;
}

static int asked(PyObject *miss, PyObject *text, Py_ssize_t from, Py_ssize_t to, uint64_t *value) {
    PyObject *word = PyUnicode_Substring(text, from, to);
    PyObject *found = word ? PyObject_CallOneArg(miss, word) : NULL;
    if (found)
        *value = PyLong_AsUnsignedLongLong(found);
    Py_XDECREF(found);
    Py_XDECREF(word);
    return PyErr_Occurred() ? -1 : 0;
}

static int look_up(Slot *slots, uint64_t groups, PyObject *text, Py_ssize_t from, Py_ssize_t to, PyObject *miss,
                   uint64_t *value) {
    uint8_t key[KEY];
    if (!key_of(PyUnicode_KIND(text), PyUnicode_DATA(text), from, to, key))
        return asked(miss, text, from, to, value);
    uint64_t hash = mixed(key);
    Slot *group = slots + (hash & (groups - 1)) * WAYS, *slot = slot_of(group, key, hash);
    if (!memcmp(slot->key, key, KEY)) {
        *value = slot->value;
        return 0;
    }
    if (asked(miss, text, from, to, value))
        return -1;
    slot = slot_of(group, key, hash); /* what was asked may have let another thread in */
    memcpy(slot->key, key, KEY);
    slot->value = *value;
    return 0;
}

static PyObject *filled(Py_buffer *table, PyObject *text, Py_buffer *starts, Py_buffer *ends, PyObject *miss) {
    Py_ssize_t count = starts->len / 4, groups = table->len / (Py_ssize_t)(WAYS * sizeof(Slot));
    if (ends->len != starts->len || groups < 1 || groups & (groups - 1))
        return PyErr_Format(PyExc_ValueError, "as many ends as starts, and 2**n groups of slots");
    PyObject *answer = PyBytes_FromStringAndSize(NULL, 8 * count);
    const int32_t *from = starts->buf, *to = ends->buf;
    for (Py_ssize_t i = 0; answer && i < count; i++) {
        uint64_t value = 0;
        if (from[i] < 0 || to[i] < from[i] || to[i] > PyUnicode_GET_LENGTH(text))
            PyErr_SetString(PyExc_ValueError, "a word ends before its start or outside of the text");
        if (PyErr_Occurred() ||
            look_up(table->buf, (uint64_t)groups, text, from[i], to[i], miss, &value))
            Py_CLEAR(answer);
        else
            memcpy(PyBytes_AS_STRING(answer) + 8 * i, &value, 8);
    }
    return answer;
}

static PyObject *hashes(PyObject *self, PyObject *args) {
    Py_buffer table, starts, ends;
    PyObject *text, *miss;
    if (!PyArg_ParseTuple(args, "w*Uy*y*O", &table, &text, &starts, &ends, &miss))
        return NULL;
    PyObject *answer = filled(&table, text, &starts, &ends, miss);
    PyBuffer_Release(&table);
    PyBuffer_Release(&starts);
    PyBuffer_Release(&ends);
    return answer;
}

static PyMethodDef METHODS[] = {
    {"hashes", hashes, METH_VARARGS, "Vocabulary.hashes, compiled."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_words", NULL, -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__words(void) { return PyModule_Create(&MODULE); }
