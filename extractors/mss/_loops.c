/* The hot loops of extractors/mss, compiled: the hashes of words (vocabulary.py), a model's answers (table.py), the most
 * recent unclosed tags (features.py).
 *
 * Those files are the definitions; what is found here is tested equal to them. Nothing here keeps a reference to its
 * arguments, and everything allocated here is freed here or given to the caller.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../document/_checks.h"

/* vocabulary.py: the table is the caller's. A slot holds a word as UTF-8 with its hash; a word may stand in WAYS slots
 * in a row, so that no page can make a look-up longer than that. */
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

static int computed(PyObject *miss, PyObject *text, Py_ssize_t from, Py_ssize_t to, uint64_t *value) {
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
        return computed(miss, text, from, to, value);
    uint64_t hash = mixed(key);
    Slot *group = slots + (hash & (groups - 1)) * WAYS, *slot = slot_of(group, key, hash);
    if (!memcmp(slot->key, key, KEY)) {
        *value = slot->value;
        return 0;
    }
    if (computed(miss, text, from, to, value))
        return -1;
    slot = slot_of(group, key, hash); /* the call may have let another thread in */
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

/* table.py: of each key the code in its nearest slot whose check bits are the key's; 0 where there is none. */
static PyObject *codes(PyObject *self, PyObject *args) {
    Py_buffer slots, keys;
    int bits, probes, code_bits;
    if (!PyArg_ParseTuple(args, "y*y*iii", &slots, &keys, &bits, &probes, &code_bits))
        return NULL;
    PyObject *answer = NULL;
    Py_ssize_t count = keys.len / 8;
    if (bits < 1 || bits > 40 || probes < 1 || code_bits < 1 || code_bits > 15 || slots.len / 2 < ((Py_ssize_t)1 << bits) + probes - 1)
        PyErr_SetString(PyExc_ValueError, "a table of 2**bits slots and those that are probed behind them");
    else
        answer = PyBytes_FromStringAndSize(NULL, 2 * count);
    if (answer) {
        const uint16_t *slot = slots.buf, below = (uint16_t)(1 << code_bits);
        const uint64_t *key = keys.buf;
        uint16_t *found = (uint16_t *)PyBytes_AS_STRING(answer);
        for (Py_ssize_t i = 0; i < count; i++) {
            const uint16_t *at = slot + INDEX((int64_t)(key[i] >> (64 - bits)), slots.len / 2 - probes + 1), check = (uint16_t)(key[i] & ~(uint64_t)(below - 1));
            found[i] = 0;
            for (int probe = 0; probe < probes && !found[i]; probe++) {
                uint16_t code = at[probe] ^ check;
                found[i] = code < below ? code : 0;
            }
        }
    }
    PyBuffer_Release(&slots);
    PyBuffer_Release(&keys);
    return answer;
}

/* features.py: a token is its element, and whether it opens it (1) or opens it and is void (2). */
static int fill_unclosed(const int32_t *element, const uint8_t *opens, Py_ssize_t count, const int32_t *parent,
                         Py_ssize_t elements, int32_t *found) {
    int32_t *last = malloc(((size_t)elements + 1) * sizeof(int32_t)); /* the last void child, of no element first */
    if (!last)
        return -1;
    memset(last, 0xFF, ((size_t)elements + 1) * sizeof(int32_t));
    for (Py_ssize_t i = 0; i < count; i++) {
        int32_t own = element[i];
        if (own < 0 || own >= elements || parent[own] < -1 || parent[own] >= elements) {
            free(last);
            PyErr_SetString(PyExc_ValueError, "a token of an element that there is not");
            return -1;
        }
        int32_t around = opens[i] ? parent[own] : own;
        found[i] = last[around + 1] >= 0 ? last[around + 1] : around;
        if (opens[i] == 2)
            last[around + 1] = own;
    }
    free(last);
    return 0;
}

static PyObject *unclosed(PyObject *self, PyObject *args) {
    Py_buffer element, opens, parent;
    if (!PyArg_ParseTuple(args, "y*y*y*", &element, &opens, &parent))
        return NULL;
    PyObject *answer = NULL;
    if (element.len != 4 * opens.len)
        PyErr_SetString(PyExc_ValueError, "as many elements as openings");
    else
        answer = PyBytes_FromStringAndSize(NULL, element.len);
    if (answer && fill_unclosed(element.buf, opens.buf, opens.len, parent.buf, parent.len / 4,
                                (int32_t *)PyBytes_AS_STRING(answer))) {
        Py_CLEAR(answer);
        if (!PyErr_Occurred())
            PyErr_NoMemory();
    }
    PyBuffer_Release(&element);
    PyBuffer_Release(&opens);
    PyBuffer_Release(&parent);
    return answer;
}

/* subsequence.py: the run of costs and gains by turns with the highest sum. */
static PyObject *maximum_run(PyObject *self, PyObject *args) {
    Py_buffer costs, gains;
    if (!PyArg_ParseTuple(args, "y*y*", &costs, &gains))
        return NULL;
    const double *cost = costs.buf, *gain = gains.buf;
    const Py_ssize_t count = costs.len / 8;
    const int failed = demand(gains.len == costs.len, "a gain for each cost");
    double total = 0, lowest = 0, most = 0;
    Py_ssize_t lowest_at = 0, start = 0, end = 0;
    for (Py_ssize_t i = 0; !failed && i < count; i++) {
        total += gain[i] - cost[i];
        const double before = total - gain[i];
        if (!i || before < lowest) {
            lowest = before;
            lowest_at = i;
        }
        if (total - lowest > most) {
            most = total - lowest;
            start = lowest_at;
            end = i + 1;
        }
    }
    PyBuffer_Release(&costs);
    PyBuffer_Release(&gains);
    return failed ? NULL : Py_BuildValue("nnd", start, end, most);
}

static PyMethodDef METHODS[] = {
    {"maximum_run", maximum_run, METH_VARARGS, "subsequence.maximum_run, compiled."},
    {"hashes", hashes, METH_VARARGS, "Vocabulary.hashes, compiled."},
    {"codes", codes, METH_VARARGS, "Table.codes_in_python, compiled."},
    {"unclosed", unclosed, METH_VARARGS, "features.unclosed_in_python, compiled."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_loops", NULL, -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__loops(void) { return PyModule_Create(&MODULE); }
