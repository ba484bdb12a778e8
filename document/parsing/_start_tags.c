/* The hot loops over opening tags, compiled: attributes, names, links' fragments, a word.
 *
 * document/parsing/start_tags.py is the definition of each and says what it is for; this file finds the same
 * and is tested equal to it.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "../_chars.h"

typedef struct {
    PyObject *markup;
    int kind;
    const void *data;
    Py_ssize_t size;
} Text;

static Text text_of(PyObject *markup) {
    return (Text){markup, PyUnicode_KIND(markup), PyUnicode_DATA(markup), PyUnicode_GET_LENGTH(markup)};
}

#define AT(t, i) PyUnicode_READ((t)->kind, (t)->data, i)

static Py_ssize_t find(const Text *t, Py_ssize_t from, Py_ssize_t end, Py_UCS4 wanted) {
    return t->kind == 1   ? find_char(1, t->data, from, end, wanted)
           : t->kind == 2 ? find_char(2, t->data, from, end, wanted)
                          : find_char(4, t->data, from, end, wanted);
}

/* Whether the ASCII word of that length ends right before markup[end]. */
static int ends_in(const Text *t, Py_ssize_t begin, Py_ssize_t end, const char *word, Py_ssize_t length) {
    if (end - length < begin)
        return 0;
    for (Py_ssize_t i = 0; i < length; i++)
        if (AT(t, end - length + i) != (Py_UCS4)(unsigned char)word[i])
            return 0;
    return 1;
}

/* The name of an attribute in lower case; owned. */
static PyObject *name_at(const Text *t, Py_ssize_t start, Py_ssize_t end) {
    int is_lower = 1;
    for (Py_ssize_t i = start; i < end && is_lower; i++)
        is_lower = AT(t, i) < 128 && !(AT(t, i) >= 'A' && AT(t, i) <= 'Z');
    PyObject *name = PyUnicode_Substring(t->markup, start, end);
    if (!name || is_lower)
        return name;
    PyObject *lowered = PyObject_CallMethod(name, "lower", NULL);
    Py_DECREF(name);
    return lowered;
}

/* A value as the page's author wrote it; owned. */
static PyObject *value_at(const Text *t, Py_ssize_t start, Py_ssize_t end, PyObject *unescape) {
    PyObject *value = PyUnicode_Substring(t->markup, start, end);
    if (!value || find(t, start, end, '&') == end)
        return value;
    PyObject *read = PyObject_CallOneArg(unescape, value);
    Py_DECREF(value);
    return read;
}

/* Whether the name is wanted and not there yet: 1, 0, -1 at an error. */
static int is_new(PyObject *found, PyObject *among, PyObject *name) {
    int is_wanted = among == Py_None ? 1 : PySequence_Contains(among, name);
    if (is_wanted <= 0)
        return is_wanted;
    int is_there = PyDict_Contains(found, name);
    return is_there < 0 ? -1 : !is_there;
}

static int add(PyObject *found, PyObject *among, PyObject *unescape, const Text *t, const Py_ssize_t *bounds) {
    PyObject *name = name_at(t, bounds[0], bounds[1]);
    int state = name ? is_new(found, among, name) : -1;
    if (state > 0) {
        PyObject *value = value_at(t, bounds[2], bounds[3], unescape);
        state = value ? PyDict_SetItem(found, name, value) : -1;
        Py_XDECREF(value);
    }
    Py_XDECREF(name);
    return state < 0 ? -1 : 0;
}

PyDoc_STRVAR(attributes_doc, "attributes(unescape, markup, start, end[, among]) -> dict; see document/parsing/start_tags.py.");

static PyObject *attributes(PyObject *module, PyObject *args) {
    PyObject *markup, *among = Py_None, *unescape;
    Py_ssize_t at, end;
    if (!PyArg_ParseTuple(args, "OUnn|O", &unescape, &markup, &at, &end, &among))
        return NULL;
    Text text = text_of(markup), *t = &text;
    end = end < t->size ? end : t->size;
    PyObject *found = PyDict_New();
    for (at = at > 0 ? at : 0; found && (at = find(t, at, end, ' ')) < end; at++) {
        Py_ssize_t stop, value, quote;
        if (!attribute_behind(t->kind, t->data, at, end, &stop, &value, &quote))
            continue;
        const Py_ssize_t bounds[] = {at + 1, stop, value, quote};
        if (add(found, among, unescape, t, bounds) < 0)
            Py_CLEAR(found);
        at = quote;
    }
    return found;
}

/* The name of those that ``declared`` looks for which stands at a place; NULL if none does. */
static const char *declared_name(const Text *t, Py_ssize_t at, Py_ssize_t stop) {
    static const char *const NAMES[] = {"id", "name", "lang", "dir", "xml:lang"};
    for (size_t i = 0; i < sizeof NAMES / sizeof *NAMES; i++)
        if ((Py_ssize_t)strlen(NAMES[i]) == stop - at && ends_in(t, at, stop, NAMES[i], stop - at))
            return NAMES[i];
    return NULL;
}

/* Append what one tag declares; -1 at an error. */
static int declare(PyObject *found, const Text *t, Py_ssize_t index, Py_ssize_t at, Py_ssize_t end) {
    for (; (at = find(t, at, end, ' ')) < end; at++) {
        Py_ssize_t stop, start, quote;
        if (!attribute_behind(t->kind, t->data, at, end, &stop, &start, &quote))
            continue;
        const char *name = declared_name(t, at + 1, stop);
        at = quote;
        if (!name)
            continue;
        PyObject *row = Py_BuildValue("nsN", index, name, PyUnicode_Substring(t->markup, start, quote));
        const int failed = row ? PyList_Append(found, row) : -1;
        Py_XDECREF(row);
        if (failed)
            return -1;
    }
    return 0;
}

PyDoc_STRVAR(declared_doc, "declared(markup, starts, ends) -> list of (int, str, str); see document/parsing/start_tags.py.");

static PyObject *declared(PyObject *module, PyObject *args) {
    PyObject *markup, *found = NULL;
    Py_buffer starts, ends;
    if (!PyArg_ParseTuple(args, "Uy*y*", &markup, &starts, &ends))
        return NULL;
    Text text = text_of(markup);
    const int32_t *from = starts.buf, *to = ends.buf;
    if (starts.len != ends.len)
        PyErr_SetString(PyExc_ValueError, "there are as many ends as starts");
    else
        found = PyList_New(0);
    for (Py_ssize_t i = 0; found && i < starts.len / 4; i++) {
        const Py_ssize_t at = from[i] > 0 ? from[i] : 0, end = to[i] < text.size ? to[i] : text.size;
        if (at < end && declare(found, &text, i, at, end) < 0)
            Py_CLEAR(found);
    }
    PyBuffer_Release(&starts);
    PyBuffer_Release(&ends);
    return found;
}

/* The index of the name that stands at markup[start:end]; -1 if it is none of them. */
static Py_ssize_t name_among(const Text *t, Py_ssize_t start, Py_ssize_t end, PyObject *names) {
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); i++) {
        PyObject *name = PyTuple_GET_ITEM(names, i);
        if (PyUnicode_GET_LENGTH(name) == end - start &&
            ends_in(t, start, end, (const char *)PyUnicode_1BYTE_DATA(name), end - start))
            return i;
    }
    return -1;
}

/* Append the values of one tag's attributes of these names; -1 at an error. */
static int add_values(PyObject *found, const Text *t, Py_ssize_t index, Py_ssize_t at, Py_ssize_t end, PyObject *names) {
    for (; (at = find(t, at, end, ' ')) < end; at++) {
        Py_ssize_t stop, value, quote;
        if (!attribute_behind(t->kind, t->data, at, end, &stop, &value, &quote))
            continue;
        const Py_ssize_t name = name_among(t, at + 1, stop, names);
        if (name >= 0) {
            PyObject *row = Py_BuildValue("nN", index, PyUnicode_Substring(t->markup, value, quote));
            const int failed = row ? PyList_Append(PyList_GET_ITEM(found, name), row) : -1;
            Py_XDECREF(row);
            if (failed)
                return -1;
        }
        at = quote;
    }
    return 0;
}

PyDoc_STRVAR(values_doc, "values(markup, starts, ends, names) -> list of lists; see document/parsing/start_tags.py.");

static PyObject *values(PyObject *module, PyObject *args) {
    PyObject *markup, *names, *found = NULL;
    Py_buffer starts, ends;
    if (!PyArg_ParseTuple(args, "Uy*y*O!", &markup, &starts, &ends, &PyTuple_Type, &names))
        return NULL;
    Text text = text_of(markup);
    const int32_t *from = starts.buf, *to = ends.buf;
    int fits = starts.len == ends.len;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names); i++)
        fits &= PyUnicode_Check(PyTuple_GET_ITEM(names, i)) && PyUnicode_IS_ASCII(PyTuple_GET_ITEM(names, i));
    if (!fits)
        PyErr_SetString(PyExc_ValueError, "names of ASCII, and as many ends as starts");
    else
        found = PyList_New(0);
    for (Py_ssize_t i = 0; found && i < PyTuple_GET_SIZE(names); i++) {
        PyObject *each = PyList_New(0);
        if (!each || PyList_Append(found, each) < 0)
            Py_CLEAR(found);
        Py_XDECREF(each);
    }
    for (Py_ssize_t i = 0; found && i < starts.len / 4; i++) {
        const Py_ssize_t at = from[i] > 0 ? from[i] : 0, end = to[i] < text.size ? to[i] : text.size;
        if (at < end && add_values(found, &text, i, at, end, names) < 0)
            Py_CLEAR(found);
    }
    PyBuffer_Release(&starts);
    PyBuffer_Release(&ends);
    return found;
}

/* A filter of names: a bit for each number that one of them hashes to, by its ends and its length. */
typedef struct {
    uint64_t bits[16];
} Filter;

static inline unsigned slot_of(Py_UCS4 first, Py_UCS4 last, Py_ssize_t length) {
    return (unsigned)(first * 31 + last * 7 + (Py_UCS4)length) & 1023;
}

static int fill(Filter *filter, PyObject *names) {
    PyObject *name, *iterator = PyObject_GetIter(names);
    while (iterator && (name = PyIter_Next(iterator))) {
        if (PyUnicode_Check(name) && PyUnicode_GET_LENGTH(name)) {
            Text text = text_of(name);
            const unsigned slot = slot_of(AT(&text, 0), AT(&text, text.size - 1), text.size);
            filter->bits[slot >> 6] |= (uint64_t)1 << (slot & 63);
        }
        Py_DECREF(name);
    }
    Py_XDECREF(iterator);
    return PyErr_Occurred() ? -1 : 0;
}

/* Whether one of the words of a value is one of the names: 1, 0, -1 at an error. */
ALWAYS_INLINE int has_one_of_kind(const int kind, const void *data, const Text *t, Py_ssize_t at, Py_ssize_t end,
                                  PyObject *names, const Filter *filter) {
    int state = 0;
    while (at < end && !state) {
        Py_ssize_t stop = at;
        while (stop < end && !Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, stop)))
            stop++;
        const unsigned slot = stop > at ? slot_of(PyUnicode_READ(kind, data, at), PyUnicode_READ(kind, data, stop - 1), stop - at) : 0;
        if (stop > at && filter->bits[slot >> 6] >> (slot & 63) & 1) {
            PyObject *word = PyUnicode_Substring(t->markup, at, stop);
            state = word ? PySet_Contains(names, word) : -1;
            Py_XDECREF(word);
        }
        at = stop + 1;
    }
    return state;
}

static int has_one(const Text *t, Py_ssize_t at, Py_ssize_t end, PyObject *names, const Filter *filter) {
    return t->kind == 1   ? has_one_of_kind(1, t->data, t, at, end, names, filter)
           : t->kind == 2 ? has_one_of_kind(2, t->data, t, at, end, names, filter)
                          : has_one_of_kind(4, t->data, t, at, end, names, filter);
}

PyDoc_STRVAR(with_word_doc, "with_word(markup, starts, ends, words) -> list of int; see document/parsing/start_tags.py.");

static PyObject *with_word(PyObject *module, PyObject *args) {
    PyObject *markup, *words, *found = NULL;
    Py_buffer starts, ends;
    Filter filter = {{0}};
    if (!PyArg_ParseTuple(args, "Uy*y*O!", &markup, &starts, &ends, &PyFrozenSet_Type, &words))
        return NULL;
    Text text = text_of(markup);
    const int32_t *from = starts.buf, *to = ends.buf;
    if (starts.len != ends.len)
        PyErr_SetString(PyExc_ValueError, "there are as many ends as starts");
    else if (!fill(&filter, words))
        found = PyList_New(0);
    for (Py_ssize_t i = 0; found && i < starts.len / 4; i++) {
        const Py_ssize_t at = from[i] > 0 ? from[i] : 0, end = to[i] < text.size ? to[i] : text.size;
        const int state = at < end ? has_one(&text, at, end, words, &filter) : 0;
        PyObject *index = state > 0 ? PyLong_FromSsize_t(i) : NULL;
        if (state < 0 || (state > 0 && (!index || PyList_Append(found, index) < 0)))
            Py_CLEAR(found);
        Py_XDECREF(index);
    }
    PyBuffer_Release(&starts);
    PyBuffer_Release(&ends);
    return found;
}

enum { MOST_WORDS = 32 };

/* Some words of ASCII, and of each letter the set of those that begin with it: a bit for each. */
typedef struct {
    const char *words[MOST_WORDS];
    Py_ssize_t lengths[MOST_WORDS];
    uint32_t begun[128];
} Words;

static int read_words(Words *found, PyObject *words) {
    const Py_ssize_t count = PyTuple_GET_SIZE(words);
    int fits = count <= MOST_WORDS;
    for (Py_ssize_t i = 0; fits && i < count; i++) {
        PyObject *word = PyTuple_GET_ITEM(words, i);
        fits = PyUnicode_Check(word) && PyUnicode_IS_ASCII(word) && PyUnicode_GET_LENGTH(word) > 0;
        if (!fits)
            break;
        found->words[i] = (const char *)PyUnicode_1BYTE_DATA(word);
        found->lengths[i] = PyUnicode_GET_LENGTH(word);
        found->begun[(unsigned char)found->words[i][0]] |= (uint32_t)1 << i;
    }
    if (!fits)
        PyErr_SetString(PyExc_ValueError, "no more than 32 words of ASCII");
    return fits ? 0 : -1;
}

ALWAYS_INLINE int holds_of_kind(const int kind, const void *data, const Text *t, Py_ssize_t at, Py_ssize_t end, const Words *words) {
    for (; at < end; at++) {
        const Py_UCS4 first = PyUnicode_READ(kind, data, at);
        for (uint32_t left = first < 128 ? words->begun[first] : 0; left; left &= left - 1) {
            const int i = __builtin_ctz(left);
            if (at + words->lengths[i] <= end && ends_in(t, at, at + words->lengths[i], words->words[i], words->lengths[i]))
                return 1;
        }
    }
    return 0;
}

static int holds(const Text *t, Py_ssize_t at, Py_ssize_t end, const Words *words) {
    return t->kind == 1   ? holds_of_kind(1, t->data, t, at, end, words)
           : t->kind == 2 ? holds_of_kind(2, t->data, t, at, end, words)
                          : holds_of_kind(4, t->data, t, at, end, words);
}

PyDoc_STRVAR(holding_doc, "holding(markup, starts, ends, words) -> list of int; see document/parsing/start_tags.py.");

static PyObject *holding(PyObject *module, PyObject *args) {
    PyObject *markup, *listed, *found = NULL;
    Py_buffer starts, ends;
    Words words = {{0}, {0}, {0}};
    if (!PyArg_ParseTuple(args, "Uy*y*O!", &markup, &starts, &ends, &PyTuple_Type, &listed))
        return NULL;
    Text text = text_of(markup);
    const int32_t *from = starts.buf, *to = ends.buf;
    if (starts.len != ends.len)
        PyErr_SetString(PyExc_ValueError, "there are as many ends as starts");
    else if (!read_words(&words, listed))
        found = PyList_New(0);
    for (Py_ssize_t i = 0; found && i < starts.len / 4; i++) {
        const Py_ssize_t at = from[i] > 0 ? from[i] : 0, end = to[i] < text.size ? to[i] : text.size;
        if (at >= end || !holds(&text, at, end, &words))
            continue;
        PyObject *index = PyLong_FromSsize_t(i);
        if (!index || PyList_Append(found, index) < 0)
            Py_CLEAR(found);
        Py_XDECREF(index);
    }
    PyBuffer_Release(&starts);
    PyBuffer_Release(&ends);
    return found;
}

PyDoc_STRVAR(fragments_doc, "fragments(markup) -> list of str; see document/parsing/start_tags.py.");

static PyObject *fragments(PyObject *module, PyObject *markup) {
    if (!PyUnicode_Check(markup))
        return PyErr_Format(PyExc_TypeError, "markup is a str");
    Text text = text_of(markup), *t = &text;
    PyObject *found = PyList_New(0);
    Py_ssize_t behind = 0, used = 0; /* no further back than these an address begins, a link */
    for (Py_ssize_t at = 0; found && (at = find(t, at, t->size, '#')) < t->size; at++) {
        Py_ssize_t start = at;
        while (start > behind && AT(t, start - 1) != '"')
            start--;
        Py_ssize_t quote = find(t, at + 1, t->size, '"');
        if (quote == t->size)
            break;
        if (quote > at + 1 && ends_in(t, used, start, " href=\"", 7)) {
            PyObject *fragment = PyUnicode_Substring(markup, at + 1, quote);
            if (!fragment || PyList_Append(found, fragment) < 0)
                Py_CLEAR(found);
            Py_XDECREF(fragment);
            used = quote + 1;
        }
        behind = at = quote;
    }
    return found;
}

PyDoc_STRVAR(standing_doc, "standing(markup, word, rare, start, end) -> list of int; see document/parsing/start_tags.py.");

static PyObject *standing(PyObject *module, PyObject *args) {
    PyObject *markup;
    const char *word;
    Py_ssize_t length, rare, start = 0, stop = PY_SSIZE_T_MAX;
    if (!PyArg_ParseTuple(args, "Us#n|nn", &markup, &word, &length, &rare, &start, &stop))
        return NULL;
    if (rare < 0 || rare >= length || start < 0)
        return PyErr_Format(PyExc_ValueError, "rare is an index of the word, start one of the markup");
    Text text = text_of(markup), *t = &text;
    stop = stop < t->size ? stop : t->size;
    PyObject *found = PyList_New(0);
    for (Py_ssize_t at = start + rare; found && (at = find(t, at, stop, (unsigned char)word[rare])) < stop; at++) {
        Py_ssize_t end = at - rare + length;
        if (end > stop || !ends_in(t, start, end, word, length))
            continue;
        PyObject *offset = PyLong_FromSsize_t(at - rare);
        if (!offset || PyList_Append(found, offset) < 0)
            Py_CLEAR(found);
        Py_XDECREF(offset);
    }
    return found;
}

ALWAYS_INLINE int standing_of_kind(const int kind, const void *data, const Text *t, const Words *words, PyObject *found) {
    for (Py_ssize_t at = 0; at < t->size; at++) {
        const Py_UCS4 first = PyUnicode_READ(kind, data, at);
        for (uint32_t left = first < 128 ? words->begun[first] : 0; left; left &= left - 1) {
            const int i = __builtin_ctz(left);
            if (at + words->lengths[i] > t->size || !ends_in(t, at, at + words->lengths[i], words->words[i], words->lengths[i]))
                continue;
            PyObject *offset = PyLong_FromSsize_t(at);
            const int failed = !offset || PyList_Append(found, offset) < 0;
            Py_XDECREF(offset);
            if (failed)
                return -1;
        }
    }
    return 0;
}

PyDoc_STRVAR(standing_of_doc, "standing_of(markup, words) -> list of int; see document/parsing/start_tags.py.");

static PyObject *standing_of(PyObject *module, PyObject *args) {
    PyObject *markup, *listed, *found;
    Words words = {{0}, {0}, {0}};
    if (!PyArg_ParseTuple(args, "UO!", &markup, &PyTuple_Type, &listed) || read_words(&words, listed))
        return NULL;
    Text text = text_of(markup);
    found = PyList_New(0);
    if (found && (text.kind == 1   ? standing_of_kind(1, text.data, &text, &words, found)
                  : text.kind == 2 ? standing_of_kind(2, text.data, &text, &words, found)
                                   : standing_of_kind(4, text.data, &text, &words, found)))
        Py_CLEAR(found);
    return found;
}

static int ends_in_folded(const Text *t, Py_ssize_t begin, Py_ssize_t end, const char *word, Py_ssize_t length) {
    if (end - length < begin)
        return 0;
    for (Py_ssize_t i = 0; i < length; i++) {
        const Py_UCS4 c = AT(t, end - length + i);
        if ((c >= 'A' && c <= 'Z' ? c + 32 : c) != (Py_UCS4)(unsigned char)word[i])
            return 0;
    }
    return 1;
}

/* sanitise.py: whether an attribute could hold an address that is looked at, as it stands or by references. */
static int is_plain_reference(const Text *t, Py_ssize_t at) {
    static const char *const PLAIN[] = {"amp;", "lt;", "gt;", "quot;", "nbsp;", "#x27;", "#39;"};
    for (size_t i = 0; i < sizeof PLAIN / sizeof *PLAIN; i++) {
        const Py_ssize_t length = (Py_ssize_t)strlen(PLAIN[i]);
        if (at + length <= t->size && ends_in(t, at, at + length, PLAIN[i], length))
            return 1;
    }
    return 0;
}

PyDoc_STRVAR(may_offend_doc, "may_offend(markup) -> bool; see document/sanitise.py.");

static PyObject *may_offend(PyObject *module, PyObject *markup) {
    if (!PyUnicode_Check(markup))
        return PyErr_Format(PyExc_TypeError, "markup is text");
    Text text = text_of(markup), *t = &text;
    static const char *const BY_STYLE[] = {"src", "image", "image-set", "cross-fade"};
    int by_style = find(t, 0, t->size, '\\') < t->size;
    for (Py_ssize_t at = 0; (at = find(t, at, t->size, '(')) < t->size; at++) {
        if (ends_in_folded(t, 0, at, "url", 3))
            Py_RETURN_TRUE;
        for (size_t i = 0; !by_style && i < sizeof BY_STYLE / sizeof *BY_STYLE; i++)
            by_style = ends_in_folded(t, 0, at, BY_STYLE[i], (Py_ssize_t)strlen(BY_STYLE[i]));
    }
    for (Py_ssize_t at = 0; (at = find(t, at, t->size, ':')) < t->size; at++)
        if (ends_in_folded(t, 0, at, "data", 4))
            Py_RETURN_TRUE;
    for (Py_ssize_t at = 0; (at = find(t, at, t->size, '&')) < t->size; at++)
        if (!is_plain_reference(t, at + 1))
            Py_RETURN_TRUE;
    if (by_style)
        for (Py_ssize_t at = 0; (at = find(t, at, t->size, '<')) < t->size; at++)
            if (at + 4 <= t->size && ends_in_folded(t, at, at + 4, "<svg", 4))
                Py_RETURN_TRUE;
    Py_RETURN_FALSE;
}

static int is_blank(Py_UCS4 c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

/* The ends of properties' names, and how values begin that may hide: _HIDING in document/parsing/start_tags.py. */
static const struct {
    const char *name, *values;
} HIDING[] = {{"display", "none"}, {"visibility", "hidden|collapse"}, {"opacity", "0|.0"}, {"font-size", "0|1px|.0"},
              {"indent", "-999"}, {"left", "-999"}, {"right", "-999"}, {"top", "-999"}, {"height", "0|1px"}, {"width", "0|1px"},
              {"clip", "rect"}, {"clip-path", "inset|circle|poly"}, {"transform", "scale|translate"},
              {"color", "#fff|white|transparent"}};

/* Whether one of the words, parted by bars, begins there, in whatever case; 9 is any digit. */
static int begins_folded(const Text *t, Py_ssize_t at, Py_ssize_t end, const char *words) {
    for (const char *word = words; *word; word += *word == '|') {
        Py_ssize_t i = at;
        int is_there = 1;
        for (; *word && *word != '|'; word++, i++) {
            const Py_UCS4 c = i < end ? AT(t, i) : 0;
            is_there &= *word == '9' ? c >= '0' && c <= '9' : (c >= 'A' && c <= 'Z' ? c + 32 : c) == (Py_UCS4)*word;
        }
        if (is_there)
            return 1;
    }
    return 0;
}

/* Where the value that a colon stands before begins if it may hide; -1 if not. */
static Py_ssize_t hiding_value(const Text *t, Py_ssize_t start, Py_ssize_t colon, Py_ssize_t end, Py_ssize_t longest) {
    Py_ssize_t behind = colon, value = colon + 1;
    while (value < end && is_blank(AT(t, value)))
        value++;
    while (behind > start && is_blank(AT(t, behind - 1)))
        behind--;
    for (size_t i = 0; i < sizeof HIDING / sizeof *HIDING; i++) {
        const Py_ssize_t length = (Py_ssize_t)strlen(HIDING[i].name);
        if (ends_in_folded(t, start, behind, HIDING[i].name, length))
            return value - (behind - length) <= longest && begins_folded(t, value, end, HIDING[i].values) ? value : -1;
    }
    return -1;
}

PyDoc_STRVAR(hiding_doc, "hiding(css, start, end, longest) -> list of int; see document/parsing/start_tags.py.");

static PyObject *hiding(PyObject *module, PyObject *args) {
    PyObject *css;
    Py_ssize_t start, end, longest;
    if (!PyArg_ParseTuple(args, "Unnn", &css, &start, &end, &longest))
        return NULL;
    if (start < 0)
        return PyErr_Format(PyExc_ValueError, "start is an index of the style sheet");
    Text text = text_of(css), *t = &text;
    end = end < t->size ? end : t->size;
    PyObject *found = PyList_New(0);
    for (Py_ssize_t at = start; found && (at = find(t, at, end, ':')) < end; at++) {
        const Py_ssize_t value = hiding_value(t, start, at, end, longest);
        PyObject *offset = value < 0 ? NULL : PyLong_FromSsize_t(value);
        if (value >= 0 && (!offset || PyList_Append(found, offset) < 0))
            Py_CLEAR(found);
        Py_XDECREF(offset);
    }
    return found;
}

static PyMethodDef METHODS[] = {{"attributes", attributes, METH_VARARGS, attributes_doc},
                                {"declared", declared, METH_VARARGS, declared_doc},
                                {"fragments", fragments, METH_O, fragments_doc},
                                {"holding", holding, METH_VARARGS, holding_doc},
                                {"with_word", with_word, METH_VARARGS, with_word_doc},
                                {"values", values, METH_VARARGS, values_doc},
                                {"hiding", hiding, METH_VARARGS, hiding_doc},
                                {"standing", standing, METH_VARARGS, standing_doc},
                                {"standing_of", standing_of, METH_VARARGS, standing_of_doc},
                                {"may_offend", may_offend, METH_O, may_offend_doc},
                                {NULL, NULL, 0, NULL}};
static struct PyModuleDef MODULE = {
    .m_base = PyModuleDef_HEAD_INIT, .m_name = "_start_tags", .m_doc = "Loops over opening tags.", .m_methods = METHODS};

PyMODINIT_FUNC PyInit__start_tags(void) { return PyModule_Create(&MODULE); }
