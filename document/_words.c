/* Words and tokens of a text (words.py, tokens.py), compiled.
 *
 * Those files are the definitions; what is found here is tested equal. Nothing here keeps a reference to its
 * arguments.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "_checks.h"

/* words.py */
enum { BLANK, SYMBOL, WORD, IDEOGRAPH, MARK };
#define BMP 0x10000

typedef struct {
    int kind;
    const void *data;
    const uint8_t *table; /* of the basic multilingual plane */
    PyObject *class_of;   /* called for the others */
} Text;

/* The class of a character that the table does not hold; -1 on an error. */
static int ask(const Text *text, Py_UCS4 character) {
    PyObject *string = PyUnicode_FromOrdinal((int)character);
    PyObject *class = string ? PyObject_CallOneArg(text->class_of, string) : NULL;
    const long found = class ? PyLong_AsLong(class) : -1;
    Py_XDECREF(string);
    Py_XDECREF(class);
    return (int)found;
}

static inline int class_at(const Text *text, int kind, int32_t at) {
    const Py_UCS4 character = PyUnicode_READ(kind, text->data, at);
    return character < BMP ? text->table[character] : ask(text, character);
}

/* Words and symbols of text[start:end], a tag on either side of it; -1 on an error. */
static inline int count(const Text *text, int kind, int32_t start, int32_t end, int32_t *words, int32_t *symbols) {
    int goes_on = 0, is_open = 0; /* open: a mark would continue something */
    *words = *symbols = 0;
    for (int32_t i = start; i < end; i++) {
        const int class = class_at(text, kind, i);
        if (class < 0)
            return -1;
        *words += class == IDEOGRAPH || (class == WORD && !goes_on);
        *symbols += class == SYMBOL;
        is_open = class != BLANK && (class != MARK || is_open);
        goes_on = class == WORD || (class == MARK && is_open);
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
    PyObject *text_object;
    Py_buffer starts, ends, table, words, symbols;
    Text text;
    if (!PyArg_ParseTuple(args, "Uy*y*y*Ow*w*", &text_object, &starts, &ends, &table, &text.class_of, &words, &symbols))
        return NULL;
    text.kind = (int)PyUnicode_KIND(text_object);
    text.data = PyUnicode_DATA(text_object);
    text.table = table.buf;
    const Py_ssize_t pieces = starts.len / 4;
    const int fits = table.len == BMP && ends.len / 4 == pieces && words.len / 4 == pieces && symbols.len / 4 == pieces &&
                     all_stretches(starts.buf, ends.buf, pieces, PyUnicode_GET_LENGTH(text_object));
    const int failed = demand(fits, "a table of all classes, and stretches of the text") ||
                       by_width(&text, starts.buf, ends.buf, pieces, words.buf, symbols.buf);
    PyBuffer_Release(&starts);
    PyBuffer_Release(&ends);
    PyBuffer_Release(&table);
    PyBuffer_Release(&words);
    PyBuffer_Release(&symbols);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

/* ---- tokens.py ---- */

enum { TAG_TOKEN, WORD_TOKEN, SYMBOL_TOKEN };
enum { E_OPEN, E_CLOSE, E_LAST, E_VOID, P_START, P_END, P_SOURCE, P_OWNER, P_HIDDEN, COLUMNS };

typedef struct {
    uint8_t *kind, *closing;
    int32_t *start, *end, *element, *piece;
    Py_ssize_t room, count;
} Tokens;

/* Past the room that there is, tokens are counted and not put down. */
static void put(Tokens *found, int kind, int32_t start, int32_t element, int closing, int32_t piece) {
    const Py_ssize_t at = found->count++;
    if (at >= found->room)
        return;
    found->kind[at] = (uint8_t)kind;
    found->start[at] = found->end[at] = start;
    found->element[at] = element;
    found->closing[at] = (uint8_t)closing;
    found->piece[at] = piece;
}

static void end_last(Tokens *found, int32_t end) {
    if (found->count <= found->room)
        found->end[INDEX(found->count - 1, found->room)] = end;
}

/* The words and symbols of one piece; -1 on an error. */
static int put_piece(Tokens *found, const Text *text, const int32_t *const *column, int32_t piece) {
    const int32_t end = column[P_END][piece], owner = column[P_OWNER][piece];
    int goes_on = 0, is_open = 0;
    for (int32_t i = column[P_START][piece]; i < end; i++) {
        const int class = class_at(text, text->kind, i);
        if (class < 0)
            return -1;
        const int begins = class == SYMBOL || class == IDEOGRAPH || (class == WORD && !goes_on);
        if (is_open && (begins || class == BLANK))
            end_last(found, i);
        if (begins)
            put(found, class == SYMBOL ? SYMBOL_TOKEN : WORD_TOKEN, i, owner, 0, piece);
        is_open = begins || (is_open && class != BLANK);
        goes_on = class == WORD || (class == MARK && is_open);
    }
    if (is_open)
        end_last(found, end);
    return 0;
}

typedef struct {
    Tokens found;
    const Text *text;
    const int32_t *column[COLUMNS];
    int32_t elements, pieces, next; /* next: the first piece that is not put down yet */
} Stream;

/* The pieces that stand before a tag, then the tag. A medium's piece stands behind its own. */
static int put_tag(Stream *s, int32_t offset, int32_t element, int closing) {
    for (; s->next < s->pieces; s->next++) {
        const int32_t source = s->column[P_SOURCE][s->next];
        if (source + (source == s->column[E_OPEN][s->column[P_OWNER][s->next]]) > offset)
            break;
        if (!((const char *)s->column[P_HIDDEN])[s->next] && put_piece(&s->found, s->text, s->column, s->next))
            return -1;
    }
    if (element >= 0)
        put(&s->found, TAG_TOKEN, 0, element, closing, -1);
    return 0;
}

static int put_all(Stream *s, int32_t *open) {
    int32_t depth = 0;
    for (int32_t element = 0; element <= s->elements; element++) {
        while (depth && s->column[E_LAST][open[depth - 1]] <= element) {
            const int32_t closed = open[--depth];
            if (put_tag(s, s->column[E_CLOSE][closed], closed, 1))
                return -1;
        }
        if (element == s->elements)
            break;
        if (put_tag(s, s->column[E_OPEN][element], element, 0))
            return -1;
        if (!((const char *)s->column[E_VOID])[element]) {
            open[INDEX(depth, s->elements)] = element;
            depth++;
        }
    }
    return put_tag(s, INT32_MAX, -1, 0);
}

/* A tag stands where the next word starts. */
static void place_tags(Tokens *found, int32_t size) {
    for (Py_ssize_t i = found->count - 1; i >= 0; i--) {
        if (found->kind[i] == TAG_TOKEN)
            found->start[i] = found->end[i] = size;
        size = found->start[i];
    }
}

/* Whether all columns are of one length, as far as they concern one thing, and point where something is. */
static int is_sound(const Stream *s, const Py_buffer *column, const Py_buffer *out, Py_ssize_t size) {
    const Py_ssize_t elements = s->elements, pieces = s->pieces;
    for (int i = E_CLOSE; i <= E_LAST; i++)
        if (column[i].len / 4 != elements)
            return 0;
    for (int i = P_START; i <= P_OWNER; i++)
        if (column[i].len / 4 != pieces)
            return 0;
    for (int i = 0; i < 6; i++)
        if (out[i].len != out[0].len * (i == 0 || i == 4 ? 1 : 4))
            return 0;
    return column[E_VOID].len == elements && column[P_HIDDEN].len == pieces &&
           all_stretches(s->column[P_START], s->column[P_END], pieces, size) &&
           all_within(s->column[P_OWNER], pieces, 0, elements - 1);
}

static PyObject *tokens(PyObject *self, PyObject *args) {
    PyObject *text_object, *given, *room, *result = NULL;
    Py_buffer table, column[COLUMNS], out[6];
    Text text;
    int got = 0, outs = 0;
    if (!PyArg_ParseTuple(args, "UO!O!y*O", &text_object, &PyTuple_Type, &given, &PyTuple_Type, &room, &table, &text.class_of))
        return NULL;
    text.kind = (int)PyUnicode_KIND(text_object);
    text.data = PyUnicode_DATA(text_object);
    text.table = table.buf;
    Stream s = {.text = &text};
    if (PyTuple_GET_SIZE(given) != COLUMNS || PyTuple_GET_SIZE(room) != 6) {
        PyErr_SetString(PyExc_ValueError, "Not the expected number of arrays.");
        goto done;
    }
    for (; got < COLUMNS; got++) {
        if (PyObject_GetBuffer(PyTuple_GET_ITEM(given, got), &column[got], PyBUF_SIMPLE))
            goto done;
        s.column[got] = column[got].buf;
    }
    for (; outs < 6; outs++)
        if (PyObject_GetBuffer(PyTuple_GET_ITEM(room, outs), &out[outs], PyBUF_WRITABLE))
            goto done;
    s.found = (Tokens){out[0].buf, out[4].buf, out[1].buf, out[2].buf, out[3].buf, out[5].buf, out[0].len, 0};
    s.elements = (int32_t)(column[E_OPEN].len / 4);
    s.pieces = (int32_t)(column[P_START].len / 4);
    if (demand(table.len == BMP && is_sound(&s, column, out, PyUnicode_GET_LENGTH(text_object)), "columns that do not fit"))
        goto done;
    int32_t *open = malloc(((size_t)s.elements + 1) * sizeof *open);
    if (!open)
        PyErr_NoMemory();
    else if (!put_all(&s, open)) {
        if (s.found.count != s.found.room)
            PyErr_SetString(PyExc_ValueError, "There is not room for just as many tokens as there are.");
        else {
            place_tags(&s.found, (int32_t)PyUnicode_GET_LENGTH(text_object));
            result = Py_NewRef(Py_None);
        }
    }
    free(open);
done:
    while (got--)
        PyBuffer_Release(&column[got]);
    while (outs--)
        PyBuffer_Release(&out[outs]);
    PyBuffer_Release(&table);
    return result;
}

/* A start tag stands before the first piece of its element, an end tag before the first piece behind. */
static PyObject *tag_gaps(PyObject *self, PyObject *args) {
    Py_buffer firsts, lasts, tags, voids, gaps;
    if (!PyArg_ParseTuple(args, "y*y*y*y*w*", &firsts, &lasts, &tags, &voids, &gaps))
        return NULL;
    const int32_t *first = firsts.buf, *last = lasts.buf, *tag = tags.buf;
    const uint8_t *is_void = voids.buf;
    int32_t *gap = gaps.buf;
    const Py_ssize_t elements = tags.len / 4, pieces = gaps.len / 4;
    const int failed = demand(firsts.len == tags.len && lasts.len == tags.len && all_within(tag, elements, 0, voids.len - 1) &&
                                  all_stretches(first, last, elements, pieces),
                              "elements that hold pieces");
    if (!failed) {
        memset(gap, 0, (size_t)gaps.len);
        for (Py_ssize_t e = 0; e < elements; e++) {
            if (first[e] < pieces)
                gap[first[e]]++;
            if (!is_void[tag[e]] && last[e] < pieces)
                gap[last[e]]++;
        }
    }
    PyBuffer_Release(&firsts);
    PyBuffer_Release(&lasts);
    PyBuffer_Release(&tags);
    PyBuffer_Release(&voids);
    PyBuffer_Release(&gaps);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef METHODS[] = {
    {"tag_gaps", tag_gaps, METH_VARARGS, "tokens.tag_gaps, compiled."},
    {"piece_counts", piece_counts, METH_VARARGS, "words.piece_counts, compiled."},
    {"tokens", tokens, METH_VARARGS, "tokens.tokenise, compiled: fills the arrays."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_words", NULL, -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__words(void) { return PyModule_Create(&MODULE); }
