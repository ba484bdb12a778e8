/* The hot loop of document/parsing/scan.py, compiled: one pass over well-formed markup.
 *
 * document/parsing/scan.py is the definition and says what each column means; this file finds the same and
 * is tested equal to it. It knows nothing that its arguments do not tell it: names, edges and flags
 * come from document/parsing/tags.py. Everything allocated here is freed here; the pass runs without the
 * interpreter's lock.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../_chars.h"
#include "../_checks.h"

enum { INLINE_EDGE, SPACE_EDGE, LINE_EDGE, BLOCK_EDGE }; /* document/parsing/tags.py, the first four */
enum { VOID = 1, MEDIA = 2, SILENT = 4, OPAQUE = 8, PREFORMATTED = 16, RAW = 32, LIST = 64, ITEM = 128 };
enum { TAG, PARENT, BLOCK, OPEN_START, OPEN_END, FIRST_PIECE, CLOSE_START, CLOSE_END, LAST_PIECE, LAST,
       HIDES, CLASS_START, CLASS_END, ID_START, ID_END, ELEMENT_WIDTH };
enum { PIECE_WIDTH = 6, NAME_SLOTS = 1024, NAME_LENGTH = 16, MOST_WORDS = 64, PAIRS = 1024 };

typedef struct {
    int32_t *rows;
    Py_ssize_t count, capacity, width;
} Table;

typedef struct {
    char name[NAME_LENGTH];
    int16_t code; /* 0: free */
} Slot;

/* The signature's words (document/parsing/signature.py), and of two letters those that may begin with them: a bit for each. */
typedef struct {
    const char *words[MOST_WORDS];
    uint64_t begun[PAIRS];
} Words;

#define PAIR(first, second) (((first) * 31 + (second)) & (PAIRS - 1))

typedef struct {
    int kind; /* of the markup's characters: 1, 2 or 4 bytes */
    const void *data;
    Py_ssize_t size;
    const uint8_t *edges, *flags;
    const Slot *slots;
    const Words *words;
    int script, meta, link; /* the codes of tags of which all values are read */
    uint8_t signature[MOST_WORDS / 8 + NAME_SLOTS / 16]; /* bits of the words, then of the tag codes */
    Py_UCS4 separators[8][2];
    Table elements, pieces;
    Py_UCS4 *text;
    Py_ssize_t length;
    int gap;
    int32_t element, silences, verbatims;
    int opaque_code, is_foreign, is_checked, is_lost; /* is_foreign: the opaque element is or holds svg or math */
    Py_ssize_t opaque_start, opaque_length, depth; /* the opaque element's name in the markup */
} State;

#define READ(i) PyUnicode_READ(kind, data, i)
#define ROW(table, i) ((table)->rows + INDEX(i, (table)->count) * (table)->width)

static int32_t *add_row(Table *table) {
    if (table->count == table->capacity) {
        Py_ssize_t capacity = table->capacity ? 2 * table->capacity : 1024;
        int32_t *rows = realloc(table->rows, (size_t)(capacity * table->width) * sizeof(int32_t));
        if (!rows)
            return NULL;
        table->rows = rows;
        table->capacity = capacity;
    }
    table->count++;
    return ROW(table, table->count - 1);
}

static unsigned hash_of(const char *name, Py_ssize_t length) {
    unsigned hash = 5381;
    for (Py_ssize_t i = 0; i < length; i++)
        hash = hash * 33 + (unsigned char)name[i];
    return hash & (NAME_SLOTS - 1);
}

/* The tag code of the name at markup[start:end], 0 if it has none. */
ALWAYS_INLINE int code_at(const Slot *slots, int kind, const void *data, Py_ssize_t start, Py_ssize_t end) {
    char name[NAME_LENGTH] = {0};
    if (end - start >= NAME_LENGTH)
        return 0;
    for (Py_ssize_t i = start; i < end; i++) {
        Py_UCS4 c = READ(i);
        if (c > 127)
            return 0;
        name[i - start] = (char)c;
    }
    unsigned at = hash_of(name, end - start);
    while (slots[at].code) {
        if (!memcmp(slots[at].name, name, NAME_LENGTH))
            return slots[at].code;
        at = (at + 1) & (NAME_SLOTS - 1);
    }
    return 0;
}

/* Whether the ASCII string stands at markup[at:], all of it before size. */
ALWAYS_INLINE int stands_at(int kind, const void *data, Py_ssize_t at, Py_ssize_t size, const char *string) {
    for (; *string; string++, at++)
        if (at >= size || READ(at) != (Py_UCS4)(unsigned char)*string)
            return 0;
    return 1;
}

/* Where "</name>" stands from `from` on, the name that of markup[name:name+length]; size if nowhere. */
ALWAYS_INLINE Py_ssize_t find_closing(int kind, const void *data, Py_ssize_t from, Py_ssize_t size,
                                      Py_ssize_t name, Py_ssize_t length) {
    for (;; from++) {
        from = find_char(kind, data, from, size, '<');
        if (from + length + 3 > size)
            return size;
        if (READ(from + 1) != '/' || READ(from + 2 + length) != '>')
            continue;
        Py_ssize_t i = 0;
        while (i < length && READ(from + 2 + i) == READ(name + i))
            i++;
        if (i == length)
            return from;
    }
}

/* Whether the name is that of an element around foreign content. */
ALWAYS_INLINE int is_foreign_name(int kind, const void *data, Py_ssize_t start, Py_ssize_t end) {
    return (end - start == 3 && stands_at(kind, data, start, end, "svg")) ||
           (end - start == 4 && stands_at(kind, data, start, end, "math"));
}

ALWAYS_INLINE Py_UCS4 lower(Py_UCS4 c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

/* Whether "</script>" at `end` would not end a script's content from `start` on (document/parsing/masking.py). */
ALWAYS_INLINE int is_double_escaped(int kind, const void *data, Py_ssize_t start, Py_ssize_t end) {
    int level = 0;
    for (Py_ssize_t i = start; i < end; i++) {
        if (!level && (i = find_char(kind, data, i, end, '<')) == end)
            break;
        Py_UCS4 c = READ(i);
        if (c == '-' && level && stands_at(kind, data, i, end, "-->"))
            level = 0;
        else if (c == '<' && stands_at(kind, data, i, end, "<!--")) {
            level = level ? level : 1;
            i++; /* its dashes may be those of "-->" */
        } else if (c == '<' && level) {
            Py_ssize_t name = i + 1 + (i + 1 < end && READ(i + 1) == '/'), j = 0;
            while (j < 6 && name + j < end && lower(READ(name + j)) == (Py_UCS4)"script"[j])
                j++;
            Py_UCS4 behind = name + j < end ? READ(name + j) : 0;
            if (j == 6 && (behind == '\t' || behind == '\n' || behind == '\f' || behind == ' ' || behind == '/' ||
                           behind == '>'))
                level = name == i + 1 ? 2 : 1;
        }
    }
    return level == 2;
}

#define IS_DIGIT(c) ((c) >= '0' && (c) <= '9')

/* What a style holds that may hide, by the rest behind its first letter (_MAY_HIDE in document/parsing/start_tags.py). */
ALWAYS_INLINE int may_hide(int kind, const void *data, Py_ssize_t i, Py_ssize_t end) {
    static const char *const SIGNS[] = {"opacity:0", "opacity: 0", "opacity:.", "opacity: .", "overflow", "font-size:0",
                                        "font-size: 0", "font-size:1px", "font-size: 1px", "font-size:.",
                                        "font-size: .", "indent:", "clip", "color:", "collapse", "scale("};
    for (size_t sign = 0; sign < sizeof SIGNS / sizeof *SIGNS; sign++)
        if (stands_at(kind, data, i, end, SIGNS[sign]))
            return 1;
    return 0;
}

/* A style that hides: "display:none" or "visibility:hidden", one blank allowed behind the colon: 1; what may: 2. */
ALWAYS_INLINE int style_hides(int kind, const void *data, Py_ssize_t start, Py_ssize_t end) {
    int found = 0;
    for (Py_ssize_t i = start; i < end; i++) {
        Py_UCS4 c = READ(i);
        if (c == 'd' && stands_at(kind, data, i, end, "display:")) {
            Py_ssize_t value = i + 8 + (i + 8 < end && READ(i + 8) == ' ');
            if (stands_at(kind, data, value, end, "none"))
                found |= 1;
        } else if (c == 'v' && stands_at(kind, data, i, end, "visibility:")) {
            Py_ssize_t value = i + 11 + (i + 11 < end && READ(i + 11) == ' ');
            if (stands_at(kind, data, value, end, "hidden"))
                found |= 1;
        } else if (c == 'o' || c == 'f' || c == 'i' || c == 'c' || c == 's')
            found |= 2 * may_hide(kind, data, i, end);
        else if (c == '-' && i + 3 < end && IS_DIGIT(READ(i + 1)) && IS_DIGIT(READ(i + 2)) && IS_DIGIT(READ(i + 3)))
            found |= 2;
    }
    return found;
}

/* Whether the value of an attribute is read for the signature: READ in document/parsing/signature.py. */
ALWAYS_INLINE int is_read(int kind, const void *data, Py_ssize_t name, Py_ssize_t length, Py_ssize_t end) {
    static const char *const READ_VALUES[] = {"id", "rel", "role", "type", "name", "class", "data-qa", "property", "itemprop", "itemtype", "data-testid"};
    static const uint8_t LENGTHS[] = {2, 3, 4, 4, 4, 5, 7, 8, 8, 8, 11};
    for (size_t i = 0; i < sizeof LENGTHS; i++)
        if (length == LENGTHS[i] && stands_at(kind, data, name, end, READ_VALUES[i]))
            return 1;
    return 0;
}

/* Note the words that stand in a stretch of a start tag. */
ALWAYS_INLINE void sign(State *s, int kind, const void *data, Py_ssize_t start, Py_ssize_t end) {
    for (Py_ssize_t i = start; i + 1 < end; i++) {
        for (uint64_t left = s->words->begun[PAIR(READ(i), READ(i + 1))]; left; left &= left - 1) {
            const int word = __builtin_ctzll(left);
            if (stands_at(kind, data, i, end, s->words->words[word]))
                s->signature[word / 8] |= (uint8_t)(1 << word % 8);
        }
    }
}

/* What a start tag's attributes say (document/parsing/scan.py, `_Read`). */
typedef struct {
    int hides;
    Py_ssize_t class_start, class_end, id_start, id_end;
} Read;

ALWAYS_INLINE Read attributes_at(State *s, int kind, const void *data, int is_whole, Py_ssize_t start, Py_ssize_t end) {
    Read found = {0, 0, 0, 0, 0};
    int is_streamed = 0;
    Py_ssize_t at = start;
    while (at < end) {
        Py_ssize_t name = at + 1; /* behind the blank */
        Py_ssize_t stop, value, close;
        if (!attribute_behind(kind, data, at, end, &stop, &value, &close))
            break;
        Py_ssize_t quote = value - 1, length = stop - name;
        const Py_ssize_t first = value + 1 < close ? value + 1 : close;
        sign(s, kind, data, at, is_whole || is_read(kind, data, name, length, end) ? close + 1 : first);
        if (length == 6 && stands_at(kind, data, name, end, "hidden"))
            found.hides |= !stands_at(kind, data, quote + 1, end, "until-found");
        else if (length == 5 && stands_at(kind, data, name, end, "style"))
            found.hides |= style_hides(kind, data, quote + 1, close);
        else if (length == 5 && stands_at(kind, data, name, end, "class") && close > quote + 1) {
            found.class_start = quote + 1;
            found.class_end = close;
        } else if (length == 2 && stands_at(kind, data, name, end, "id") && close > quote + 1) {
            is_streamed = stands_at(kind, data, quote + 1, end, "S:");
            found.id_start = quote + 1;
            found.id_end = close;
        }
        at = close + 1;
    }
    if (is_streamed)
        found.hides = 0;
    return found;
}

/* Where the text's next character goes. */
static inline Py_UCS4 *next_character(State *s) {
    s->length++;
    return s->text + INDEX(s->length - 1, s->size + 4);
}

static void part(State *s, int code, int32_t parent) {
    int edge = s->edges[INDEX(code, NAME_SLOTS / 2)];
    if (edge == LINE_EDGE && s->gap == LINE_EDGE)
        edge = BLOCK_EDGE;
    else if (s->flags[code] & LIST && parent >= 0 && s->flags[ROW(&s->elements, parent)[TAG]] & ITEM)
        edge = BLOCK_EDGE;
    if (edge > s->gap)
        s->gap = edge;
}

/* Begin a piece: the separator, then its row with the end still open. NULL: no memory. */
static int32_t *begin_piece(State *s, Py_ssize_t source_start, Py_ssize_t source_end, int32_t owner) {
    int32_t *row = add_row(&s->pieces);
    if (!row)
        return NULL;
    s->is_lost |= owner < 0;
    if (s->length)
        for (int i = 0; i < 2 && s->separators[INDEX(s->gap, 8)][i]; i++)
            *next_character(s) = s->separators[INDEX(s->gap, 8)][i];
    row[0] = row[1] = (int32_t)s->length;
    row[2] = (int32_t)source_start;
    row[3] = (int32_t)source_end;
    row[4] = owner;
    row[5] = s->gap;
    s->gap = INLINE_EDGE;
    return row;
}

static int medium(State *s, int32_t element, Py_ssize_t behind) {
    int32_t *row = begin_piece(s, ROW(&s->elements, element)[OPEN_START], behind, element);
    if (!row)
        return -1;
    *next_character(s) = 0xFFFC;
    row[1] = (int32_t)s->length;
    ROW(&s->elements, element)[LAST_PIECE] = (int32_t)s->pieces.count;
    return 0;
}

ALWAYS_INLINE Py_UCS4 unescaped(int kind, const void *data, Py_ssize_t *at, Py_ssize_t end) {
    Py_UCS4 c = READ((*at)++);
    if (c != '&')
        return c;
    static const struct { const char *name; int length; Py_UCS4 value; } ENTITIES[] = {
        {"amp;", 4, '&'}, {"lt;", 3, '<'}, {"gt;", 3, '>'}, {"nbsp;", 5, 0xA0}};
    for (int i = 0; i < 4; i++)
        if (stands_at(kind, data, *at, end, ENTITIES[i].name)) {
            *at += ENTITIES[i].length;
            return ENTITIES[i].value;
        }
    return c;
}

/* Whether a character stands for itself and is no white space. */
static inline int is_plain(Py_UCS4 c) { return c > ' ' && c < 127 && c != '&'; }

/* A text node whose white space folds. */
ALWAYS_INLINE int folded_text(State *s, int kind, const void *data, Py_ssize_t start, Py_ssize_t end) {
    Py_ssize_t at = start;
    int blank = 0;
    int32_t *row = NULL;
    while (at < end) {
        Py_UCS4 c = unescaped(kind, data, &at, end);
        if (!is_plain(c) && Py_UNICODE_ISSPACE(c)) {
            blank = 1;
            continue;
        }
        if (!row) {
            if (blank && !s->gap)
                s->gap = SPACE_EDGE;
            row = begin_piece(s, start, end, s->element);
            if (!row)
                return -1;
        } else if (blank)
            *next_character(s) = ' ';
        blank = 0;
        *next_character(s) = c;
        for (; at < end && is_plain(READ(at)); at++)
            *next_character(s) = READ(at);
    }
    if (row)
        row[1] = (int32_t)s->length;
    if (blank && !s->gap)
        s->gap = SPACE_EDGE;
    return 0;
}

ALWAYS_INLINE int verbatim_text(State *s, int kind, const void *data, Py_ssize_t start, Py_ssize_t end, int raw) {
    int32_t *row = begin_piece(s, start, end, s->element);
    if (!row)
        return -1;
    Py_ssize_t at = start;
    while (at < end)
        *next_character(s) = raw ? READ(at++) : unescaped(kind, data, &at, end);
    row[1] = (int32_t)s->length;
    return 0;
}

static int close_element(State *s, int code, Py_ssize_t start, Py_ssize_t behind) {
    int32_t index = s->element;
    int flags = s->flags[code];
    if (index < 0 || ROW(&s->elements, index)[TAG] != code)
        return s->is_lost = 1, 0; /* another tree was written than is read */
    s->silences -= !!(flags & SILENT);
    s->verbatims -= !!(flags & PREFORMATTED);
    if (flags & MEDIA && !s->silences && medium(s, index, behind))
        return -1;
    int32_t *row = ROW(&s->elements, index);
    row[CLOSE_START] = (int32_t)start;
    row[CLOSE_END] = (int32_t)behind;
    row[LAST_PIECE] = (int32_t)s->pieces.count;
    row[LAST] = (int32_t)s->elements.count;
    s->element = row[PARENT];
    part(s, code, row[PARENT]);
    return 0;
}

static int open_element(State *s, int code, Read read, Py_ssize_t start, Py_ssize_t behind) {
    int flags = s->flags[code];
    int32_t index = (int32_t)s->elements.count, parent = s->element;
    part(s, code, parent);
    int32_t *row = add_row(&s->elements);
    if (!row)
        return -1;
    row[TAG] = code;
    row[PARENT] = parent;
    row[BLOCK] = s->edges[code] >= BLOCK_EDGE ? index : parent >= 0 ? ROW(&s->elements, parent)[BLOCK] : -1;
    row[OPEN_START] = (int32_t)start;
    row[OPEN_END] = row[CLOSE_START] = row[CLOSE_END] = (int32_t)behind;
    row[FIRST_PIECE] = row[LAST_PIECE] = (int32_t)s->pieces.count;
    row[LAST] = index + 1;
    row[HIDES] = read.hides;
    row[CLASS_START] = (int32_t)read.class_start;
    row[CLASS_END] = (int32_t)read.class_end;
    row[ID_START] = (int32_t)read.id_start;
    row[ID_END] = (int32_t)read.id_end;
    if (flags & VOID)
        return flags & MEDIA && !s->silences ? medium(s, index, behind) : 0;
    s->element = index;
    s->silences += !!(flags & SILENT);
    s->verbatims += !!(flags & PREFORMATTED);
    return 0;
}

ALWAYS_INLINE int run(State *s, const int kind) {
    const void *data = s->data;
    Py_ssize_t at = find_char(kind, data, 0, s->size, '<'), size = s->size;
    while (at < size && !s->is_lost) {
        if (stands_at(kind, data, at, size, "<!--")) { /* a comment parts two text nodes */
            Py_ssize_t end = at + 4;
            while (end < size && !stands_at(kind, data, end, size, "-->"))
                end = find_char(kind, data, end + 1, size, '-');
            at = end < size ? end + 3 : size;
        } else {
            Py_ssize_t close = find_char(kind, data, at, size, '>'), behind = close + 1;
            if (close >= size)
                break;
            Py_UCS4 first = READ(at + 1);
            const int is_declared = first == '!' || first == '?'; /* a document type, a processing instruction */
            int raw = 0, code = 0, is_nested = s->opaque_code;
            Py_ssize_t name = at + 1 + (first == '/'), name_end = name;
            if (first == '/')
                name_end = close;
            else
                while (name_end < close && READ(name_end) != ' ')
                    name_end++;
            if (s->opaque_code) {
                Py_ssize_t length = name_end - name, i = 0;
                while (i < length && length == s->opaque_length && READ(name + i) == READ(s->opaque_start + i))
                    i++;
                if (length == s->opaque_length && i == length) {
                    s->depth += first == '/' ? -1 : 1;
                    if (!s->depth) {
                        int closed = s->opaque_code;
                        s->opaque_code = 0;
                        if (close_element(s, closed, at, behind))
                            return -1;
                    }
                }
                if (first != '/' && !is_declared) {
                    raw = s->flags[code = code_at(s->slots, kind, data, name, name_end)] & RAW;
                    s->is_foreign |= is_foreign_name(kind, data, name, name_end);
                }
            } else if (first == '/') {
                if (close_element(s, code_at(s->slots, kind, data, name, name_end), at, behind))
                    return -1;
            } else if (!is_declared) {
                code = code_at(s->slots, kind, data, name, name_end);
                raw = s->flags[code] & RAW;
                s->signature[MOST_WORDS / 8 + INDEX(code, NAME_SLOTS / 2) / 8] |= (uint8_t)(1 << code % 8);
                const int is_whole = code && (code == s->script || code == s->meta || code == s->link);
                if (open_element(s, code, attributes_at(s, kind, data, is_whole, name_end, close), at, behind))
                    return -1;
                if (s->flags[code] & OPAQUE && !(s->flags[code] & VOID)) {
                    s->opaque_code = code;
                    s->is_foreign = is_foreign_name(kind, data, name, name_end);
                    s->opaque_start = name;
                    s->opaque_length = name_end - name;
                    s->depth = 1;
                }
            }
            at = behind;
            if (raw) { /* its content is text to its closing tag, whatever it looks like */
                Py_ssize_t end = find_closing(kind, data, behind, size, name, name_end - name);
                if ((is_nested && s->is_foreign && !s->is_checked) ||
                    (stands_at(kind, data, name, size, "script") && is_double_escaped(kind, data, behind, end)))
                    s->is_lost = 1;
                if (s->flags[code] & PREFORMATTED && !s->silences && !s->opaque_code && end > behind &&
                    verbatim_text(s, kind, data, behind, end, 1))
                    return -1;
                at = end;
                continue;
            }
        }
        Py_ssize_t end = find_char(kind, data, at, size, '<');
        if (end > at && !s->silences && !s->opaque_code &&
            (s->verbatims ? verbatim_text(s, kind, data, at, end, 0) : folded_text(s, kind, data, at, end)))
            return -1;
        at = end;
    }
    s->is_lost |= s->element >= 0 || s->opaque_code;
    return 0;
}

static int fill_slots(Slot *slots, PyObject *names) {
    for (Py_ssize_t code = 1; code < PyTuple_GET_SIZE(names); code++) {
        Py_ssize_t length;
        const char *name = PyUnicode_AsUTF8AndSize(PyTuple_GET_ITEM(names, code), &length);
        if (!name)
            return -1;
        if (length >= NAME_LENGTH) {
            PyErr_SetString(PyExc_ValueError, "a tag's name is too long for the scanner");
            return -1;
        }
        unsigned at = hash_of(name, length);
        while (slots[at].code)
            at = (at + 1) & (NAME_SLOTS - 1);
        memcpy(slots[at].name, name, (size_t)length);
        slots[at].code = (int16_t)code;
    }
    return 0;
}

static int fill_words(Words *found, PyObject *words) {
    const Py_ssize_t count = PyTuple_GET_SIZE(words);
    int fits = count <= MOST_WORDS;
    for (Py_ssize_t i = 0; fits && i < count; i++) {
        PyObject *word = PyTuple_GET_ITEM(words, i);
        fits = PyUnicode_Check(word) && PyUnicode_IS_ASCII(word) && PyUnicode_GET_LENGTH(word) > 1;
        if (!fits)
            break;
        found->words[i] = (const char *)PyUnicode_1BYTE_DATA(word);
        found->begun[PAIR((Py_UCS4)found->words[i][0], (Py_UCS4)found->words[i][1])] |= (uint64_t)1 << i;
    }
    return demand(fits, "no more than 64 words of ASCII, of two letters at least");
}

/* A table column by column: a stretch of rows at a time, which stays in the nearest cache. */
static PyObject *columns_of(const Table *table) {
    enum { STRETCH = 256 };
    PyObject *found = PyBytes_FromStringAndSize(NULL, table->count * table->width * (Py_ssize_t)sizeof(int32_t));
    int32_t *columns = found ? (int32_t *)PyBytes_AS_STRING(found) : NULL;
    for (Py_ssize_t from = 0; columns && from < table->count; from += STRETCH) {
        const Py_ssize_t end = from + STRETCH < table->count ? from + STRETCH : table->count;
        for (Py_ssize_t column = 0; column < table->width; column++)
            for (Py_ssize_t row = from; row < end; row++)
                columns[column * table->count + row] = table->rows[row * table->width + column];
    }
    return found;
}

/* A text as narrow as its characters allow. */
static PyObject *text_of(const Py_UCS4 *text, Py_ssize_t length) {
    Py_UCS4 every = 0;
    for (Py_ssize_t i = 0; i < length; i++)
        every |= text[i];
    if (every > 127)
        return PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, text, length);
    PyObject *found = PyUnicode_New(length, 127);
    Py_UCS1 *ascii = found ? PyUnicode_1BYTE_DATA(found) : NULL;
    for (Py_ssize_t i = 0; ascii && i < length; i++)
        ascii[i] = (Py_UCS1)text[i];
    return found;
}

static int fill_separators(State *s, PyObject *separators) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(separators) && i < 8; i++) {
        PyObject *separator = PyTuple_GET_ITEM(separators, i);
        for (Py_ssize_t j = 0; j < PyUnicode_GET_LENGTH(separator) && j < 2; j++)
            s->separators[i][j] = PyUnicode_READ_CHAR(separator, j);
    }
    return 0;
}

PyDoc_STRVAR(scan_doc,
             "scan(markup, names, edges, flags, separators, words, checked) -> (text, elements, pieces, signature) | None\n\n"
             "Both tables column by column, each a row of int32; None where the markup is ambiguous.\n"
             "See document/parsing/scan.py.");

static PyObject *scan(PyObject *module, PyObject *args) {
    PyObject *markup, *names, *separators, *listed, *result = NULL;
    const char *edges, *flags;
    Py_ssize_t edge_count, flag_count;
    int is_checked;
    static const Table NO_ELEMENTS = {NULL, 0, 0, ELEMENT_WIDTH}, NO_PIECES = {NULL, 0, 0, PIECE_WIDTH};
    Slot slots[NAME_SLOTS] = {0};
    Words words = {{0}, {0}};
    if (!PyArg_ParseTuple(args, "UO!y#y#O!O!p", &markup, &PyTuple_Type, &names, &edges, &edge_count, &flags,
                          &flag_count, &PyTuple_Type, &separators, &PyTuple_Type, &listed, &is_checked))
        return NULL;
    if (edge_count != PyTuple_GET_SIZE(names) || flag_count != edge_count || edge_count >= NAME_SLOTS / 2) {
        PyErr_SetString(PyExc_ValueError, "names, edges and flags must be of one length, below 512");
        return NULL;
    }
    if (PyUnicode_GET_LENGTH(markup) > INT32_MAX / 2) {
        PyErr_SetString(PyExc_OverflowError, "the markup is longer than offsets can say");
        return NULL;
    }
    State s = {.kind = PyUnicode_KIND(markup), .data = PyUnicode_DATA(markup), .size = PyUnicode_GET_LENGTH(markup),
               .edges = (const uint8_t *)edges, .flags = (const uint8_t *)flags, .slots = slots, .words = &words,
               .elements = NO_ELEMENTS, .pieces = NO_PIECES, .element = -1, .is_checked = is_checked};
    if (fill_slots(slots, names) || fill_separators(&s, separators) || fill_words(&words, listed))
        return NULL;
    s.script = code_at(slots, 1, "script", 0, 6);
    s.meta = code_at(slots, 1, "meta", 0, 4);
    s.link = code_at(slots, 1, "link", 0, 4);
    /* A piece adds at most two characters to its own, and a tag of three or more stands before it. */
    s.text = malloc(((size_t)s.size + 4) * sizeof(Py_UCS4));
    int failed = !s.text;
    if (!failed) {
        Py_BEGIN_ALLOW_THREADS
        failed = s.kind == 1 ? run(&s, 1) : s.kind == 2 ? run(&s, 2) : run(&s, 4);
        Py_END_ALLOW_THREADS
    }
    if (failed)
        PyErr_NoMemory();
    else if (s.is_lost)
        result = Py_NewRef(Py_None);
    else {
        PyObject *text = text_of(s.text, s.length);
        PyObject *elements = columns_of(&s.elements), *pieces = columns_of(&s.pieces);
        PyObject *signature = PyBytes_FromStringAndSize((const char *)s.signature, sizeof s.signature);
        if (text && elements && pieces && signature)
            result = PyTuple_Pack(4, text, elements, pieces, signature);
        Py_XDECREF(signature);
        Py_XDECREF(text);
        Py_XDECREF(elements);
        Py_XDECREF(pieces);
    }
    free(s.text);
    free(s.elements.rows);
    free(s.pieces.rows);
    return result;
}

PyDoc_STRVAR(between_letters_doc, "between_letters(text, start, gap, owner, last) -> bytes; see inline_spacing.py.");

static int ends_word(Py_UCS4 letter) {
    return Py_UNICODE_ISALNUM(letter) || letter == '.' || letter == '!' || letter == '?';
}

static PyObject *between_letters(PyObject *module, PyObject *args) {
    PyObject *text, *found = NULL;
    Py_buffer start, gap, owner, last;
    if (!PyArg_ParseTuple(args, "Uy*y*y*y*", &text, &start, &gap, &owner, &last))
        return NULL;
    const int32_t *starts = start.buf, *gaps = gap.buf, *owners = owner.buf, *behind = last.buf;
    const Py_ssize_t pieces = start.len / 4, length = PyUnicode_GET_LENGTH(text);
    const int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    int32_t *places = NULL;
    Py_ssize_t count = 0;
    if (demand(gap.len == start.len && owner.len == start.len && all_within(starts, pieces, 0, length - 1) &&
                   all_within(owners, pieces, 0, last.len / 4 - 1),
               "pieces in the text and in elements"))
        goto done;
    places = malloc((size_t)(pieces + 1) * sizeof *places);
    for (Py_ssize_t i = 1; places && i < pieces; i++) {
        const int32_t left = owners[i - 1], right = owners[i];
        if (gaps[i] == INLINE_EDGE && starts[i] && (behind[left] <= right || behind[right] <= left) &&
            Py_UNICODE_ISALNUM(READ(starts[i])) && ends_word(READ(starts[i] - 1)))
            places[count++] = (int32_t)i;
    }
    found = places ? PyBytes_FromStringAndSize((const char *)places, count * (Py_ssize_t)sizeof *places)
                   : PyErr_NoMemory();
done:
    free(places);
    PyBuffer_Release(&start);
    PyBuffer_Release(&gap);
    PyBuffer_Release(&owner);
    PyBuffer_Release(&last);
    return found;
}

/* piece_masks.py: marks the pieces of some elements, ``chosen``, or of those whose tag is in a table. */
static int mark(const int32_t *first, const int32_t *last, const int32_t *chosen, Py_ssize_t count, const int32_t *tag,
                const uint8_t *table, Py_ssize_t pieces, uint8_t *mask) {
    int32_t *steps = calloc((size_t)pieces + 1, sizeof *steps), depth = 0;
    int fits = 1;
    if (!steps)
        return PyErr_NoMemory(), -1;
    for (Py_ssize_t i = 0; i < count && fits; i++) {
        if (tag && !table[tag[i]])
            continue;
        const Py_ssize_t element = chosen ? chosen[i] : i;
        fits = first[element] >= 0 && first[element] <= pieces && last[element] >= 0 && last[element] <= pieces;
        if (fits) {
            steps[first[element]]++;
            steps[last[element]]--;
        }
    }
    for (Py_ssize_t i = 0; i < pieces && fits; i++)
        mask[i] = (depth += steps[i]) > 0;
    free(steps);
    return demand(fits, "elements that hold pieces");
}

PyDoc_STRVAR(inside_doc, "inside(first, last, chosen, mask); see piece_masks.py.");

static PyObject *inside(PyObject *module, PyObject *args) {
    Py_buffer first, last, chosen, mask;
    if (!PyArg_ParseTuple(args, "y*y*y*w*", &first, &last, &chosen, &mask))
        return NULL;
    const Py_ssize_t count = chosen.len / 4;
    const int failed = demand(first.len == last.len && all_within(chosen.buf, count, 0, first.len / 4 - 1),
                              "elements that there are") ||
                       mark(first.buf, last.buf, chosen.buf, count, NULL, NULL, mask.len, mask.buf);
    PyBuffer_Release(&first);
    PyBuffer_Release(&last);
    PyBuffer_Release(&chosen);
    PyBuffer_Release(&mask);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

PyDoc_STRVAR(inside_tags_doc, "inside_tags(first, last, tag, table, mask); see piece_masks.py.");

static PyObject *inside_tags(PyObject *module, PyObject *args) {
    Py_buffer first, last, tag, table, mask;
    if (!PyArg_ParseTuple(args, "y*y*y*y*w*", &first, &last, &tag, &table, &mask))
        return NULL;
    const Py_ssize_t count = tag.len / 4;
    const int failed = demand(first.len == last.len && first.len == tag.len && all_within(tag.buf, count, 0, table.len - 1),
                              "tags of a table") ||
                       mark(first.buf, last.buf, NULL, count, tag.buf, table.buf, mask.len, mask.buf);
    PyBuffer_Release(&first);
    PyBuffer_Release(&last);
    PyBuffer_Release(&tag);
    PyBuffer_Release(&table);
    PyBuffer_Release(&mask);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

PyDoc_STRVAR(by_tag_doc, "by_tag(tags, codes) -> (bytes, list of int); see document.py.");

static PyObject *by_tag(PyObject *module, PyObject *args) {
    Py_buffer tags;
    Py_ssize_t codes;
    if (!PyArg_ParseTuple(args, "y*n", &tags, &codes))
        return NULL;
    const int32_t *tag = tags.buf;
    const Py_ssize_t count = tags.len / 4;
    PyObject *order = NULL, *starts = NULL;
    int32_t *next = NULL;
    if (!demand(codes >= 0 && codes < 1 << 16 && all_within(tag, count, 0, codes - 1), "tags that have codes")) {
        next = calloc((size_t)codes + 1, sizeof *next);
        order = next ? PyBytes_FromStringAndSize(NULL, tags.len) : PyErr_NoMemory();
        starts = order ? PyList_New(codes + 1) : NULL;
    }
    for (Py_ssize_t i = 0; starts && i < count; i++)
        next[tag[i] + 1]++;
    for (Py_ssize_t code = 0; starts && code <= codes; code++) {
        next[code] += code ? next[code - 1] : 0;
        PyObject *start = PyLong_FromLong(next[code]);
        if (start)
            PyList_SET_ITEM(starts, code, start);
        else
            Py_CLEAR(starts);
    }
    int32_t *element = starts ? (int32_t *)PyBytes_AS_STRING(order) : NULL;
    for (Py_ssize_t i = 0; starts && i < count; i++)
        element[next[tag[i]]++] = (int32_t)i;
    free(next);
    PyBuffer_Release(&tags);
    PyObject *found = starts ? PyTuple_Pack(2, order, starts) : NULL;
    Py_XDECREF(order);
    Py_XDECREF(starts);
    return found;
}

PyDoc_STRVAR(runs_doc, "runs(mask, marked, start, end) -> list of (start, end, is marked); see piece_masks.py.");

static PyObject *runs(PyObject *module, PyObject *args) {
    Py_buffer mask, marked, start, end;
    if (!PyArg_ParseTuple(args, "y*y*y*y*", &mask, &marked, &start, &end))
        return NULL;
    const Py_ssize_t count = mask.len;
    const uint8_t *chosen = mask.buf, *mark = marked.buf;
    const int32_t *from = start.buf, *to = end.buf;
    PyObject *found = demand(marked.len == count && start.len == 4 * count && end.len == 4 * count,
                             "a mark, a start and an end of each piece")
                          ? NULL
                          : PyList_New(0);
    for (Py_ssize_t first = 0, last; found && first < count; first = last) {
        last = first + 1;
        if (!chosen[first])
            continue;
        while (last < count && chosen[last] && !mark[last] == !mark[first])
            last++;
        PyObject *run = Py_BuildValue("(iiO)", from[first], to[last - 1], mark[first] ? Py_True : Py_False);
        if (!run || PyList_Append(found, run) < 0)
            Py_CLEAR(found);
        Py_XDECREF(run);
    }
    PyBuffer_Release(&mask);
    PyBuffer_Release(&marked);
    PyBuffer_Release(&start);
    PyBuffer_Release(&end);
    return found;
}

PyDoc_STRVAR(blocks_doc, "blocks(gap, start, end, owner, block, words, linked, hidden, least) -> bytes; see blocks.py.");

static PyObject *blocks(PyObject *module, PyObject *args) {
    enum { GAP, START, END, OWNER, BLOCK, WORDS, LINKED, HIDDEN, COLUMNS };
    enum { FIRST, BEHIND, B_START, B_END, ELEMENT, B_WORDS, B_LINKED, ROWS };
    Py_buffer of[COLUMNS];
    int least;
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*y*y*y*i", &of[GAP], &of[START], &of[END], &of[OWNER], &of[BLOCK], &of[WORDS],
                          &of[LINKED], &of[HIDDEN], &least))
        return NULL;
    const Py_ssize_t pieces = of[GAP].len / 4, owners = of[BLOCK].len / 4;
    const int32_t *gap = of[GAP].buf, *start = of[START].buf, *end = of[END].buf, *owner = of[OWNER].buf;
    const int32_t *block = of[BLOCK].buf, *words = of[WORDS].buf;
    const uint8_t *linked = of[LINKED].buf, *hidden = of[HIDDEN].buf;
    PyObject *found = NULL;
    Py_ssize_t count = 0, at = -1;
    if (!demand(of[START].len == of[GAP].len && of[END].len == of[GAP].len && of[OWNER].len == of[GAP].len &&
                    of[WORDS].len == of[GAP].len && of[LINKED].len == pieces && of[HIDDEN].len == pieces &&
                    all_within(owner, pieces, 0, owners - 1),
                "pieces in elements, and what is known of each")) {
        for (Py_ssize_t i = 0; i < pieces; i++)
            count += !i || gap[i] >= least;
        found = PyBytes_FromStringAndSize(NULL, count * (ROWS * (Py_ssize_t)sizeof(int32_t) + 1));
    }
    int32_t *rows = found ? (int32_t *)PyBytes_AS_STRING(found) : NULL;
    uint8_t *is_hidden = (uint8_t *)(rows + ROWS * count);
    for (Py_ssize_t i = 0; found && i < pieces; i++) {
        if (!i || gap[i] >= least) {
            at++;
            rows[FIRST * count + at] = (int32_t)i;
            rows[B_START * count + at] = start[i];
            rows[ELEMENT * count + at] = block[owner[i]];
            rows[B_WORDS * count + at] = rows[B_LINKED * count + at] = 0;
            is_hidden[at] = hidden[i];
        }
        rows[BEHIND * count + at] = (int32_t)i + 1;
        rows[B_END * count + at] = end[i];
        rows[B_WORDS * count + at] += words[i];
        rows[B_LINKED * count + at] += linked[i] ? words[i] : 0;
    }
    for (int i = 0; i < COLUMNS; i++)
        PyBuffer_Release(&of[i]);
    return found;
}

/* The first index whose number is greater than `limit`, or not less than it. */
static Py_ssize_t behind(const int32_t *numbers, Py_ssize_t count, int32_t limit, int is_greater) {
    Py_ssize_t low = 0, high = count;
    while (low < high) {
        const Py_ssize_t middle = low + (high - low) / 2;
        if (numbers[middle] < limit || (is_greater && numbers[middle] == limit))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

PyDoc_STRVAR(cut_doc, "cut(begins, ends, starts, stops, codes) -> bytes; see render/selection.py.");

static PyObject *cut(PyObject *module, PyObject *args) {
    enum { BEGINS, ENDS, STARTS, STOPS, CODES, COLUMNS };
    Py_buffer of[COLUMNS];
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*", &of[BEGINS], &of[ENDS], &of[STARTS], &of[STOPS], &of[CODES]))
        return NULL;
    const int32_t *begins = of[BEGINS].buf, *ends = of[ENDS].buf, *starts = of[STARTS].buf, *stops = of[STOPS].buf;
    const Py_ssize_t pieces = of[BEGINS].len / 4, spans = of[STARTS].len / 4;
    PyObject *found = NULL;
    Py_ssize_t count = 0, at = 0;
    if (!demand(of[ENDS].len == of[BEGINS].len && of[STOPS].len == of[STARTS].len && of[CODES].len == of[STARTS].len,
                "an end of each piece, and of each span")) {
        for (Py_ssize_t i = 0; i < spans; i++) {
            const Py_ssize_t first = behind(ends, pieces, starts[i], 1), last = behind(begins, pieces, stops[i], 0);
            count += last > first ? last - first : 0;
        }
        found = PyBytes_FromStringAndSize(NULL, 4 * count * (Py_ssize_t)sizeof(int32_t));
    }
    int32_t *rows = found ? (int32_t *)PyBytes_AS_STRING(found) : NULL;
    for (Py_ssize_t i = 0; found && i < spans; i++) {
        const Py_ssize_t last = behind(begins, pieces, stops[i], 0);
        for (Py_ssize_t piece = behind(ends, pieces, starts[i], 1); piece < last; piece++, at++) {
            rows[at] = (int32_t)piece;
            rows[count + at] = begins[piece] > starts[i] ? begins[piece] : starts[i];
            rows[2 * count + at] = ends[piece] < stops[i] ? ends[piece] : stops[i];
            rows[3 * count + at] = ((const int32_t *)of[CODES].buf)[i];
        }
    }
    for (int i = 0; i < COLUMNS; i++)
        PyBuffer_Release(&of[i]);
    return found;
}

PyDoc_STRVAR(gaps_doc, "gaps(gap, begins, ends, piece, start, end) -> bytes; see render/selection.py.");

static PyObject *gaps(PyObject *module, PyObject *args) {
    enum { GAP, BEGINS, ENDS, PIECE, START, END, COLUMNS };
    Py_buffer of[COLUMNS];
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*y*", &of[GAP], &of[BEGINS], &of[ENDS], &of[PIECE], &of[START], &of[END]))
        return NULL;
    const int32_t *gap = of[GAP].buf, *begins = of[BEGINS].buf, *ends = of[ENDS].buf;
    const int32_t *piece = of[PIECE].buf, *start = of[START].buf, *end = of[END].buf;
    const Py_ssize_t pieces = of[GAP].len / 4, count = of[PIECE].len / 4;
    PyObject *found = NULL;
    if (!demand(of[BEGINS].len == of[GAP].len && of[ENDS].len == of[GAP].len && of[START].len == of[PIECE].len &&
                    of[END].len == of[PIECE].len && all_within(piece, count, 0, pieces - 1),
                "segments of pieces"))
        found = PyBytes_FromStringAndSize(NULL, count * (Py_ssize_t)sizeof(int32_t));
    int32_t *widest = found ? (int32_t *)PyBytes_AS_STRING(found) : NULL;
    for (Py_ssize_t i = 0; found && i < count; i++) {
        const int32_t before = i ? piece[i - 1] : piece[i], here = piece[i];
        const int is_same = here == before && (!i || start[i] == end[i - 1]);
        const int is_next = here == before + 1 && start[i] == begins[here] && end[i - 1] == ends[before];
        widest[i] = is_same || is_next ? INLINE_EDGE : SPACE_EDGE;
        for (int32_t at = before + 1; at <= here; at++)
            widest[i] = gap[at] > widest[i] ? gap[at] : widest[i];
    }
    for (int i = 0; i < COLUMNS; i++)
        PyBuffer_Release(&of[i]);
    return found;
}

static PyMethodDef METHODS[] = {{"scan", scan, METH_VARARGS, scan_doc},
                                {"inside", inside, METH_VARARGS, inside_doc},
                                {"inside_tags", inside_tags, METH_VARARGS, inside_tags_doc},
                                {"by_tag", by_tag, METH_VARARGS, by_tag_doc},
                                {"runs", runs, METH_VARARGS, runs_doc},
                                {"blocks", blocks, METH_VARARGS, blocks_doc},
                                {"cut", cut, METH_VARARGS, cut_doc},
                                {"gaps", gaps, METH_VARARGS, gaps_doc},
                                {"between_letters", between_letters, METH_VARARGS, between_letters_doc},
                                {NULL, NULL, 0, NULL}};
static struct PyModuleDef MODULE = {
    .m_base = PyModuleDef_HEAD_INIT, .m_name = "_scan", .m_doc = "The compiled scanner.", .m_methods = METHODS};

PyMODINIT_FUNC PyInit__scan(void) { return PyModule_Create(&MODULE); }
