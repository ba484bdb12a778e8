/* Hot loops of extractors/auto, compiled: hashing tokens (attribute_tokens.py, page_tokens.py), counting characters
 * (lookup_tables.py).
 *
 * Those files are the definitions; what is found here is tested equal to them. Nothing here keeps a
 * reference to its arguments, and everything allocated here is freed here or given to the caller.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../document/_chars.h"
#include "../../document/_checks.h"

/* extractors/auto/features/attribute_tokens.py */
enum { MAX_WORDS = 12, MAX_WORD = 40, HEAD = 120, TAIL = 40 };
enum { MAX_PHRASE = 6, MAX_SHORT = 15, MAX_SINGLE = 8 };
#define OF_CLASS 0x80000000u

static uint32_t crc_table[256];

static void fill_crc_table(void) {
    for (uint32_t byte = 0; byte < 256; byte++) {
        uint32_t crc = byte;
        for (int bit = 0; bit < 8; bit++)
            crc = crc & 1 ? 0xEDB88320u ^ (crc >> 1) : crc >> 1;
        crc_table[byte] = crc;
    }
}

static inline uint32_t add_byte(uint32_t crc, uint32_t byte) {
    return crc_table[(crc ^ byte) & 0xFF] ^ (crc >> 8);
}

/* A character as UTF-8, surrogates too. */
static inline uint32_t add(uint32_t crc, Py_UCS4 c) {
    if (c < 0x80)
        return add_byte(crc, c);
    if (c < 0x800)
        return add_byte(add_byte(crc, 0xC0 | c >> 6), 0x80 | (c & 0x3F));
    crc = c < 0x10000 ? add_byte(crc, 0xE0 | c >> 12)
                      : add_byte(add_byte(crc, 0xF0 | c >> 18), 0x80 | (c >> 12 & 0x3F));
    return add_byte(add_byte(crc, 0x80 | (c >> 6 & 0x3F)), 0x80 | (c & 0x3F));
}

static uint32_t add_all(uint32_t crc, const Py_UCS4 *from, const Py_UCS4 *to) {
    for (; from < to; from++)
        crc = add(crc, *from);
    return crc;
}

static uint32_t start_of(char mark) { return add_byte(0xFFFFFFFFu, (unsigned char)mark); }

static uint32_t ended(uint32_t crc) { return ~crc & ~OF_CLASS; }

typedef struct {
    int32_t *owner;
    uint32_t *token;
    Py_ssize_t count, capacity;
} Found;

static int put(Found *found, Py_ssize_t owner, uint32_t token) {
    if (found->count == found->capacity) {
        Py_ssize_t capacity = found->capacity ? 2 * found->capacity : 4096;
        int32_t *owners = realloc(found->owner, (size_t)capacity * sizeof *owners);
        if (owners)
            found->owner = owners;
        uint32_t *tokens = realloc(found->token, (size_t)capacity * sizeof *tokens);
        if (tokens)
            found->token = tokens;
        if (!owners || !tokens)
            return -1;
        found->capacity = capacity;
    }
    found->owner[found->count] = (int32_t)owner;
    found->token[found->count++] = token;
    return 0;
}

/* Both columns as bytes; frees them. */
static PyObject *given(Found *found, int failed) {
    PyObject *result = failed ? PyErr_Occurred() ? NULL : PyErr_NoMemory()
                              : Py_BuildValue("(NN)", PyBytes_FromStringAndSize((char *)found->owner, found->count * 4),
                                              PyBytes_FromStringAndSize((char *)found->token, found->count * 4));
    free(found->owner);
    free(found->token);
    return result;
}

static inline Py_UCS4 lower(Py_UCS4 c) {
    return c < 128 ? (c >= 'A' && c <= 'Z' ? c + 32 : c) : Py_UNICODE_TOLOWER(c);
}

static inline int is_digit(Py_UCS4 c) {
    return c < 128 ? c >= '0' && c <= '9' : Py_UNICODE_ISDECIMAL(c);
}

/* lexis.fold, into a buffer of at least end - start characters; returns their number. */
ALWAYS_INLINE Py_ssize_t fold(int kind, const void *data, Py_ssize_t start, Py_ssize_t end, Py_UCS4 *folded) {
    Py_ssize_t length = 0;
    int digits = 0;
    for (Py_ssize_t i = start; i < end; i++) {
        Py_UCS4 c = lower(PyUnicode_READ(kind, data, i));
        int digit = is_digit(c);
        if (!(digit && digits))
            folded[length++] = digit ? '0' : c;
        digits = digit;
    }
    return length;
}

static inline int is_upper(Py_UCS4 c) { return c >= 'A' && c <= 'Z'; }
static inline int is_lower(Py_UCS4 c) { return c >= 'a' && c <= 'z'; }

/* The parts of a word: capitals and what small letters follow them. */
ALWAYS_INLINE int put_parts(Found *found, Py_ssize_t owner, int kind, const void *data, Py_ssize_t i,
                     Py_ssize_t end, char mark, uint32_t bit) {
    while (i < end) {
        Py_ssize_t start = i;
        uint32_t crc = add_byte(start_of(mark), '-');
        while (i < end && is_upper(PyUnicode_READ(kind, data, i)))
            crc = add_byte(crc, PyUnicode_READ(kind, data, i++) + 32);
        while (i < end && is_lower(PyUnicode_READ(kind, data, i)))
            crc = add_byte(crc, PyUnicode_READ(kind, data, i++));
        if (i == start)
            i++;
        else if (i - start > 2 && put(found, owner, ended(crc) | bit))
            return -1;
    }
    return 0;
}

ALWAYS_INLINE int put_value(Found *found, Py_ssize_t owner, int kind, const void *data, Py_ssize_t i,
                     Py_ssize_t end, char mark, uint32_t bit) {
    Py_UCS4 folded[MAX_WORD];
    for (int words = 0; words < MAX_WORDS; words++) {
        while (i < end && Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, i)))
            i++;
        Py_ssize_t start = i;
        while (i < end && !Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, i)))
            i++;
        if (i == start)
            return 0;
        if (i - start > MAX_WORD)
            continue;
        Py_ssize_t length = fold(kind, data, start, i, folded);
        uint32_t crc = add_all(add_byte(start_of(mark), '.'), folded, folded + length);
        if (put(found, owner, ended(crc) | bit) || put_parts(found, owner, kind, data, start, i, mark, bit))
            return -1;
    }
    return 0;
}

static const struct {
    const char *name;
    Py_ssize_t length;
    char mark;
    uint32_t bit;
} ATTRIBUTES[] = {{"class", 5, 'c', OF_CLASS}, {"id", 2, 'c', 0}, {"role", 4, 'r', 0}, {"itemprop", 8, 'i', 0}};
enum { NUMBER_OF_ATTRIBUTES = sizeof ATTRIBUTES / sizeof *ATTRIBUTES };

/* Which of them data[start:end] names; NUMBER_OF_ATTRIBUTES if none. */
ALWAYS_INLINE int attribute_at(int kind, const void *data, Py_ssize_t start, Py_ssize_t end) {
    int which = 0;
    for (; which < NUMBER_OF_ATTRIBUTES; which++) {
        Py_ssize_t i = 0;
        const Py_ssize_t length = ATTRIBUTES[which].length;
        if (end - start != length)
            continue;
        while (i < length && PyUnicode_READ(kind, data, start + i) == (unsigned char)ATTRIBUTES[which].name[i])
            i++;
        if (i == length)
            break;
    }
    return which;
}

/* Where the name of an attribute ends that begins at ``i``. */
ALWAYS_INLINE Py_ssize_t name_end(int kind, const void *data, Py_ssize_t i, Py_ssize_t end) {
    for (; i < end; i++) {
        const Py_UCS4 c = PyUnicode_READ(kind, data, i);
        if (c == ' ' || c == '=' || c == '"')
            break;
    }
    return i;
}

/* Where values stand that were read already, and the tokens that they gave: most values come again. */
enum { KNOWN = 256 };
typedef struct {
    Py_ssize_t start, length, from, to;
    int which;
} Known;

/* The tokens of a value, read or taken from an equal one. */
ALWAYS_INLINE int put_known(Found *found, Known *known, Py_ssize_t owner, int kind, const void *data, Py_ssize_t start,
                            Py_ssize_t end, int which) {
    const Py_ssize_t length = end - start, size = length * kind;
    if (!length)
        return 0;
    const uint32_t first = PyUnicode_READ(kind, data, start), last = PyUnicode_READ(kind, data, end - 1);
    const uint32_t middle = PyUnicode_READ(kind, data, start + length / 2);
    Known *k = &known[(first * 3 + middle * 31 + last * 101 + (uint32_t)length * 7 + (uint32_t)which) % KNOWN];
    if (k->length == length && k->which == which &&
        !memcmp((const char *)data + k->start * kind, (const char *)data + start * kind, (size_t)size)) {
        for (Py_ssize_t i = k->from; i < k->to; i++)
            if (put(found, owner, found->token[i]))
                return -1;
        return 0;
    }
    const Py_ssize_t from = found->count;
    if (put_value(found, owner, kind, data, start, end, ATTRIBUTES[which].mark, ATTRIBUTES[which].bit))
        return -1;
    *k = (Known){start, length, from, found->count, which};
    return 0;
}

/* lexis._ATTRIBUTE: a blank, a name, and a value that is closed. */
ALWAYS_INLINE int put_attributes(Found *found, Known *known, Py_ssize_t owner, int kind, const void *data, Py_ssize_t i,
                                 Py_ssize_t end) {
    while ((i = find_char(kind, data, i, end, ' ')) < end) {
        const Py_ssize_t name = ++i, equals = name_end(kind, data, name, end), value = equals + 2;
        if (equals == name || value >= end || PyUnicode_READ(kind, data, equals) != '=' ||
            PyUnicode_READ(kind, data, equals + 1) != '"')
            continue;
        const Py_ssize_t close = find_char(kind, data, value, end, '"');
        if (close == end)
            continue;
        const int which = attribute_at(kind, data, name, equals);
        if (which < NUMBER_OF_ATTRIBUTES && put_known(found, known, owner, kind, data, value, close, which))
            return -1;
        i = close + 1;
    }
    return 0;
}

ALWAYS_INLINE int put_name(Found *found, Py_ssize_t owner, int kind, const void *data, Py_ssize_t start, Py_ssize_t end) {
    Py_UCS4 folded[MAX_WORD];
    Py_ssize_t stop = ++start;
    while (stop < end - 1 && stop - start < MAX_WORD && PyUnicode_READ(kind, data, stop) != ' ')
        stop++;
    Py_ssize_t length = fold(kind, data, start, stop, folded);
    return put(found, owner, ended(add_all(start_of('n'), folded, folded + length)));
}

/* Tag, start and end of each opening tag; one loop a width of characters. */
ALWAYS_INLINE int put_elements(Found *found, const int kind, const void *data, const int32_t *tag, const int32_t *start,
                               const int32_t *end, Py_ssize_t count) {
    Known known[KNOWN] = {{0}};
    for (Py_ssize_t i = 0; i < count; i++)
        if ((!tag[i] && put_name(found, i, kind, data, start[i], end[i])) ||
            put_attributes(found, known, i, kind, data, start[i], end[i]))
            return -1;
    return 0;
}

static PyObject *element_tokens(PyObject *self, PyObject *args) {
    PyObject *markup;
    Py_buffer tags, starts, ends;
    if (!PyArg_ParseTuple(args, "Uy*y*y*", &markup, &tags, &starts, &ends))
        return NULL;
    const int32_t *tag = tags.buf, *start = starts.buf, *end = ends.buf;
    const void *data = PyUnicode_DATA(markup);
    const Py_ssize_t count = starts.len / 4;
    Found found = {0};
    const int fits = tags.len == starts.len && ends.len == starts.len &&
                     all_stretches(start, end, count, PyUnicode_GET_LENGTH(markup));
    const int failed = demand(fits, "a tag, a start and an end of each element") ? -1
                       : PyUnicode_KIND(markup) == 1 ? put_elements(&found, 1, data, tag, start, end, count)
                       : PyUnicode_KIND(markup) == 2 ? put_elements(&found, 2, data, tag, start, end, count)
                                                     : put_elements(&found, 4, data, tag, start, end, count);
    PyBuffer_Release(&tags);
    PyBuffer_Release(&starts);
    PyBuffer_Release(&ends);
    return given(&found, failed);
}

static inline int in_word(Py_UCS4 c) {
    return c < 128 ? (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || c == '_' : Py_UNICODE_ISALNUM(c);
}

/* lexis._WORD over folded text: the edges of up to limit words; returns the number of all words. */
static int words_of(const Py_UCS4 *text, Py_ssize_t length, const Py_UCS4 *edges[][2], int limit) {
    int count = 0;
    for (Py_ssize_t i = 0; i < length;) {
        Py_ssize_t start = i;
        while (i < length && in_word(text[i]))
            i++;
        if (i == start) {
            const Py_UCS4 c = text[i++]; /* Py_UNICODE_ISSPACE reads its argument twice */
            if (Py_UNICODE_ISSPACE(c))
                continue;
        }
        const int slot = INDEX(count < limit ? count : limit - 1, limit); /* the last slot is reused */
        edges[slot][0] = text + start;
        edges[slot][1] = text + i;
        count++;
    }
    return count;
}

#define PUT(crc)                                                                                                       \
    if (put(found, owner, ended(crc)))                                                                                 \
    return -1

ALWAYS_INLINE int put_text(Found *found, Py_ssize_t owner, int kind, const void *data, Py_ssize_t start, Py_ssize_t end) {
    Py_UCS4 head[HEAD], tail[TAIL];
    const Py_UCS4 *words[HEAD][2], *ends[TAIL][2];
    int is_short = end - start <= HEAD;
    Py_ssize_t length = fold(kind, data, start, is_short ? end : start + HEAD, head);
    int count = words_of(head, length, words, HEAD);
    if (!count)
        return 0;
    if (is_short && count <= MAX_PHRASE) {
        uint32_t crc = add_all(start_of('='), words[0][0], words[0][1]);
        for (int i = 1; i < count; i++)
            crc = add_all(add_byte(crc, ' '), words[i][0], words[i][1]);
        PUT(crc);
    }
    if (is_short && count <= MAX_SHORT) {
        for (int i = 0; i < count && i < MAX_SINGLE; i++)
            PUT(add_all(start_of('w'), words[i][0], words[i][1]));
    } else {
        uint32_t crc = add_all(start_of('>'), words[0][0], words[0][1]);
        if (count > 1)
            crc = add_all(add_byte(crc, ' '), words[1][0], words[1][1]);
        PUT(crc);
    }
    PUT(add_all(start_of('^'), words[0][0], words[0][1]));
    if (is_short) {
        PUT(add_all(start_of('$'), words[count - 1][0], words[count - 1][1]));
        return 0;
    }
    length = fold(kind, data, end - TAIL, end, tail);
    count = words_of(tail, length, ends, TAIL);
    if (count)
        PUT(add_all(start_of('$'), ends[count - 1][0], ends[count - 1][1]));
    return 0;
}

static PyObject *block_tokens(PyObject *self, PyObject *args) {
    PyObject *text;
    Py_buffer starts, ends;
    if (!PyArg_ParseTuple(args, "Uy*y*", &text, &starts, &ends))
        return NULL;
    const int32_t *start = starts.buf, *end = ends.buf;
    int kind = PyUnicode_KIND(text);
    Found found = {0};
    const int fits = ends.len == starts.len && all_stretches(start, end, starts.len / 4, PyUnicode_GET_LENGTH(text));
    int failed = demand(fits, "a start and an end of each block");
    for (Py_ssize_t i = 0; i < starts.len / 4 && !failed; i++)
        failed = put_text(&found, i, kind, PyUnicode_DATA(text), start[i], end[i]);
    PyBuffer_Release(&starts);
    PyBuffer_Release(&ends);
    return given(&found, failed);
}

/* tables.counts: adds to each block's row how many characters of each class it has. */
static void count_classes(int kind, const void *data, Py_ssize_t size, const uint8_t *table,
                          const int32_t *starts, Py_ssize_t blocks, int32_t *counts) {
    for (Py_ssize_t block = 0; block < blocks; block++) {
        const Py_ssize_t end = block + 1 < blocks ? starts[block + 1] : size;
        for (Py_ssize_t i = starts[block]; i < end; i++) {
            const Py_UCS4 c = PyUnicode_READ(kind, data, i);
            counts[8 * block + (table[c < 0xFFFF ? c : 0xFFFF] & 7)]++;
        }
    }
}

static PyObject *class_counts(PyObject *self, PyObject *args) {
    PyObject *text;
    Py_buffer table, starts, counts;
    if (!PyArg_ParseTuple(args, "Uy*y*w*", &text, &table, &starts, &counts))
        return NULL;
    const uint8_t *class = table.buf;
    const int fits = table.len == 0x10000 && counts.len == 8 * starts.len &&
                     is_ascending(starts.buf, starts.len / 4, PyUnicode_GET_LENGTH(text));
    const int failed = demand(fits, "a class of each character, a start and eight counts of each block");
    if (!failed)
        count_classes(PyUnicode_KIND(text), PyUnicode_DATA(text), PyUnicode_GET_LENGTH(text), class, starts.buf,
                      starts.len / 4, counts.buf);
    PyBuffer_Release(&table);
    PyBuffer_Release(&starts);
    PyBuffer_Release(&counts);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

enum { AHEAD = 16 }; /* how many tokens before it is read, a score is fetched */

/* page_tokens.py, TypeLexicon.score: what the slots are worth for each type; ``scores`` has a row a slot. */
static PyObject *type_worths(PyObject *self, PyObject *args) {
    enum { MOST = 64 };
    Py_buffer scores, slots;
    Py_ssize_t types;
    double scale;
    if (!PyArg_ParseTuple(args, "y*ny*d", &scores, &types, &slots, &scale))
        return NULL;
    const int8_t *score = scores.buf;
    const int64_t *slot = slots.buf;
    const Py_ssize_t count = slots.len / 8;
    int fits = types > 0 && types <= MOST && scores.len % types == 0;
    for (Py_ssize_t i = 0; i < count && fits; i++)
        fits = slot[i] >= 0 && slot[i] < scores.len / types;
    int32_t sums[MOST] = {0}, numbers[MOST] = {0};
    PyObject *found = demand(fits, "a row for each slot")
                          ? NULL
                          : PyBytes_FromStringAndSize(NULL, types * (Py_ssize_t)sizeof(float));
    for (Py_ssize_t i = 0; found && i < count; i++) {
        if (i + AHEAD < count) /* a slot is anywhere in a megabyte */
            __builtin_prefetch(score + slot[i + AHEAD] * types);
        for (Py_ssize_t type = 0; type < types; type++) {
            const int32_t worth = score[slot[i] * types + type];
            sums[type] += worth;
            numbers[type] += worth != 0;
        }
    }
    float *to = found ? (float *)PyBytes_AS_STRING(found) : NULL;
    for (Py_ssize_t type = 0; to && type < types; type++)
        to[type] = (float)(sums[type] / (scale * sqrt(numbers[type] > 1 ? numbers[type] : 1)));
    PyBuffer_Release(&scores);
    PyBuffer_Release(&slots);
    return found;
}

/* page_tokens.py: the distinct slots of tokens, in order. */
static PyObject *distinct(PyObject *self, PyObject *args) {
    enum { BITS = 17, WORDS = 1 << (BITS - 6) };
    Py_buffer tokens;
    static const uint64_t ONE = 1;
    uint64_t there[WORDS] = {0};
    Py_ssize_t count = 0;
    if (!PyArg_ParseTuple(args, "y*", &tokens))
        return NULL;
    const uint32_t *token = tokens.buf;
    for (Py_ssize_t i = 0; i < tokens.len / 4; i++) {
        const uint32_t slot = token[i] & ((1u << BITS) - 1);
        count += !(there[slot >> 6] >> (slot & 63) & 1);
        there[slot >> 6] |= ONE << (slot & 63);
    }
    PyBuffer_Release(&tokens);
    PyObject *found = PyBytes_FromStringAndSize(NULL, count * (Py_ssize_t)sizeof(int64_t));
    int64_t *to = found ? (int64_t *)PyBytes_AS_STRING(found) : NULL;
    for (int i = 0; to && i < WORDS; i++)
        for (uint64_t left = there[i]; left; left &= left - 1)
            *to++ = 64 * i + __builtin_ctzll(left);
    return found;
}

/* attribute_tokens.py, Lexicon.score: the tokens' worth by owner. */
static PyObject *worths(PyObject *self, PyObject *args) {
    Py_buffer scores, owners, tokens;
    Py_ssize_t size;
    double scale;
    if (!PyArg_ParseTuple(args, "y*y*y*nd", &scores, &owners, &tokens, &size, &scale))
        return NULL;
    const int8_t *score = scores.buf;
    const int32_t *owner = owners.buf;
    const uint32_t *token = tokens.buf;
    const Py_ssize_t count = owners.len / 4;
    const uint32_t mask = (uint32_t)(scores.len - 1);
    PyObject *found = NULL;
    int32_t *sums = NULL;
    if (!demand(scores.len > 0 && !(scores.len & (scores.len - 1)) && tokens.len == owners.len && size >= 0 &&
                    all_within(owner, count, 0, size - 1),
                "a score for each slot, an owner for each token")) {
        sums = calloc((size_t)(2 * size + 1), sizeof *sums);
        found = sums ? PyBytes_FromStringAndSize(NULL, size * (Py_ssize_t)sizeof(float)) : PyErr_NoMemory();
    }
    for (Py_ssize_t i = 0; found && i < count; i++) {
        if (i + AHEAD < count)
            __builtin_prefetch(score + (token[i + AHEAD] & mask));
        const int32_t worth = score[token[i] & mask];
        sums[2 * owner[i]] += worth;
        sums[2 * owner[i] + 1] += worth != 0;
    }
    float *to = found ? (float *)PyBytes_AS_STRING(found) : NULL;
    for (Py_ssize_t i = 0; to && i < size; i++) {
        const int32_t number = sums[2 * i + 1];
        to[i] = (float)(sums[2 * i] / (scale * sqrt(number > 1 ? number : 1)));
    }
    free(sums);
    PyBuffer_Release(&scores);
    PyBuffer_Release(&owners);
    PyBuffer_Release(&tokens);
    return found;
}

static PyMethodDef METHODS[] = {
    {"distinct", distinct, METH_VARARGS, "page_tokens.distinct, compiled."},
    {"worths", worths, METH_VARARGS, "attribute_tokens.Lexicon.score, compiled."},
    {"element_tokens", element_tokens, METH_VARARGS, "lexis.element_tokens, compiled."},
    {"block_tokens", block_tokens, METH_VARARGS, "lexis.block_tokens, compiled."},
    {"class_counts", class_counts, METH_VARARGS, "tables.counts, compiled."},
    {"type_worths", type_worths, METH_VARARGS, "page_tokens.TypeLexicon.score of one group, compiled."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_fast", NULL, -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__fast(void) {
    fill_crc_table();
    return PyModule_Create(&MODULE);
}
