/* The features of a page's blocks (sight.py, features.py), compiled.
 *
 * Those files are the definitions and tell what each number means; what is written here is tested equal to
 * them. Functions bear their names and come in their order, and so do the rows that they write. Nothing here
 * keeps a reference to its arguments, and everything allocated here is freed here.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../../document/_checks.h"

/* sight.py */
enum { WORDS, LINKED, GOOD, SENTENCES, COUNT, MEDIA, SHORT, TEASER, SUMS };
enum { LEVELS = 5, CARDS = 3 };
#define ODD 0x9E3779B97F4A7C15u
/* lexis.py */
#define OF_CLASS 0x80000000u
/* tables.py */
enum { OTHER, LETTER, CAPITAL, DIGIT, STOP, COMMA, MARK, UNSPACED, CLASSES };

/* The arrays that matrix.py hands over, in its order. */
enum {
    TAG, PARENT, BLOCK, FIRST_PIECE, LAST_PIECE,         /* elements */
    OWNER, IS_MEDIA,                                     /* pieces */
    B_FIRST, B_LAST, B_START, B_END, B_ELEMENT, B_WORDS, B_LINKED, B_HIDDEN, B_KINDS, B_OPENS, /* blocks */
    T_OWNER, T_TOKEN,                                    /* tokens of elements */
    ELEMENT_SCORE, BLOCK_SCORE,                                         /* the scores of tokens: of elements, of blocks */
    CONTEXT_BIT, KIND, HEADING, COUNTED,                 /* tables */
    OF_PAGE,                                             /* numbers about the whole page */
    COLUMNS
};

typedef struct {
    double of[SUMS];
} Sums;

typedef struct {
    int32_t tag, parent, around; /* around: the block element around the parent */
    int32_t block;               /* the nearest block element, itself included */
    int32_t first, last;         /* half-open range of blocks */
    int32_t bits;                /* contexts of itself and its ancestors */
    float worth, siblings;
    Sums inner;
    uint64_t path[2];
    double depth, below[4], names, inside; /* sums over itself and its ancestors */
    float most[4];                         /* maxima of worth, -worth, and of both inside */
} Element;

typedef struct {
    const void *column[COLUMNS];
    Py_ssize_t size[COLUMNS];
    PyObject *text, *title;
    int32_t elements, blocks, contexts; /* the element numbered ``elements`` is "no element" */
    Element *element;
    Sums *before; /* sums of all blocks before each, and of all */
    double *block_score; /* likewise of what texts say */
    int32_t *owner, *outer[LEVELS + 1], *level;
    int32_t *some; /* room for a number a block */
    int32_t *alike; /* where the first block of each path is written, two rows */
    float *row;    /* where the next row is written */
    const float *end;
    const float *words_row, *said_row, *names_row; /* rows that neighbours are shown */
    double headings, cards;
} Sight;

#define INTS(sight, name) ((const int32_t *)(sight)->column[name])
#define FLOATS(sight, name) ((const float *)(sight)->column[name])

static inline double at_least_1(double value) { return value > 1 ? value : 1; }
static inline double share(double part, double whole) { return part / at_least_1(whole); }

static float *next_row(Sight *s) {
    float *row = s->row;
    s->row += s->blocks;
    assert(s->row <= s->end);
    return row;
}

#define EACH_BLOCK(s, i) for (int32_t i = 0; i < (s)->blocks; i++)
#define ROW(s, i, value)                                                                                               \
    do {                                                                                                               \
        float *row_ = next_row(s);                                                                                     \
        EACH_BLOCK(s, i) row_[i] = (float)(value);                                                                     \
    } while (0)

/* Equal keys get equal numbers, 0 upwards, in the order of their first; returns how many there are, or -1. */
static int32_t grouped(const uint64_t *key, int32_t count, int32_t *group) {
    size_t room = 16;
    while (room < 2 * (size_t)count)
        room *= 2;
    int32_t *slot = malloc(room * sizeof *slot), *first = malloc(((size_t)count + 1) * sizeof *first), groups = 0;
    if (slot && first) {
        memset(slot, -1, room * sizeof *slot);
        for (int32_t i = 0; i < count; i++) {
            size_t at = (size_t)((key[i] ^ key[i] >> 32) * ODD >> 20) & (room - 1);
            while (slot[at] >= 0 && key[first[slot[at]]] != key[i])
                at = (at + 1) & (room - 1);
            if (slot[at] < 0) {
                first[groups] = i;
                slot[at] = groups++;
            }
            group[i] = INDEX(slot[at], groups);
        }
    } else
        groups = -1;
    free(slot);
    free(first);
    return groups;
}

/* ---- sight.py ---- */

static void sums(Sight *s) {
    const int32_t *words = INTS(s, B_WORDS), *linked = INTS(s, B_LINKED), *kinds = INTS(s, B_KINDS);
    const int32_t *first = INTS(s, B_FIRST), *last = INTS(s, B_LAST);
    const char *is_media = s->column[IS_MEDIA], *opens = s->column[B_OPENS];
    memset(&s->before[0], 0, sizeof s->before[0]);
    s->block_score[0] = 0;
    EACH_BLOCK(s, i) {
        double *now = s->before[i + 1].of;
        memcpy(now, s->before[i].of, sizeof s->before[i].of);
        now[WORDS] += words[i];
        now[LINKED] += linked[i];
        now[COUNT] += 1;
        if (words[i] >= 10 && linked[i] < 0.35 * words[i])
            now[GOOD] += words[i];
        if (words[i] >= 8 && kinds[CLASSES * i + STOP] > 0 && linked[i] < 0.5 * words[i])
            now[SENTENCES] += words[i];
        for (int32_t piece = first[i]; piece < last[i]; piece++)
            now[MEDIA] += is_media[piece] != 0;
        now[SHORT] += words[i] <= 3;
        if (opens[i] && linked[i] < words[i])
            now[TEASER] += words[i];
        s->block_score[i + 1] = s->block_score[i] + FLOATS(s, BLOCK_SCORE)[i];
    }
}

static inline Sums between(const Sight *s, int32_t first, int32_t last) {
    Sums found;
    for (int sum = 0; sum < SUMS; sum++)
        found.of[sum] = s->before[last].of[sum] - s->before[first].of[sum];
    return found;
}

/* Each element's range of blocks, by the block that each piece is in. */
static void ranges(Sight *s, const int32_t *of_piece) {
    const int32_t *first = INTS(s, FIRST_PIECE), *last = INTS(s, LAST_PIECE);
    for (int32_t e = 0; e < s->elements; e++) {
        Element *here = &s->element[e];
        here->first = of_piece[first[e]];
        here->last = last[e] > first[e] ? of_piece[last[e] - 1] + 1 : here->first;
        here->inner = between(s, here->first, here->last);
    }
    Element *none = &s->element[s->elements];
    none->first = 0;
    none->last = s->blocks;
    none->inner = between(s, 0, s->blocks);
}

static void look_alike(Sight *s, uint64_t *hash) {
    const uint32_t *token = s->column[T_TOKEN];
    const int32_t *owner = INTS(s, T_OWNER);
    memset(hash, 0, ((size_t)s->elements + 1) * sizeof *hash);
    for (Py_ssize_t i = 0; i < s->size[T_OWNER] / 4; i++)
        if (token[i] & OF_CLASS)
            hash[owner[i]] += token[i];
    for (int32_t e = 0; e <= s->elements; e++)
        hash[e] = hash[e] * 1000003u + (uint64_t)s->element[e].tag;
}

static int equals(Sight *s, const uint64_t *look) {
    const int32_t count = s->elements + 1;
    uint64_t *key = malloc((size_t)count * sizeof *key);
    int32_t *group = malloc((size_t)count * sizeof *group), *members = calloc((size_t)count, sizeof *members);
    int failed = !key || !group || !members;
    if (!failed) {
        for (int32_t e = 0; e < count; e++)
            key[e] = look[e] * 7919u + (uint64_t)s->element[e].around * 2654435761u;
        failed = grouped(key, count, group) < 0;
    }
    if (!failed) {
        for (int32_t e = 0; e < count; e++)
            members[group[e]]++;
        for (int32_t e = 0; e < count; e++)
            s->element[e].siblings = (float)members[group[e]];
        s->element[s->elements].siblings = 1;
    }
    free(key);
    free(group);
    free(members);
    return failed ? -1 : 0;
}

static uint64_t mixed(uint64_t hash) { return (hash ^ hash >> 29) * ODD; }

/* What an element gathers from its ancestors; parents come before their children. */
static void gather(Sight *s, const uint64_t *look, uint64_t *power) {
    const double whole = at_least_1(s->element[s->elements].inner.of[GOOD]);
    static const double SHARES[4] = {0.1, 0.2, 0.4, 0.7};
    for (int32_t e = 0; e < s->elements; e++) {
        Element *here = &s->element[e];
        const Element *above = &s->element[here->parent];
        const double good = here->inner.of[GOOD] / whole;
        const float inside = good < 0.5 ? here->worth : 0;
        const float scores[4] = {here->worth, -here->worth, inside, -inside};
        here->depth = above->depth + 1;
        for (int i = 0; i < 4; i++) {
            here->below[i] = above->below[i] + (good >= SHARES[i]);
            here->most[i] = above->most[i] > scores[i] ? above->most[i] : scores[i];
        }
        here->names = above->names + here->worth;
        here->inside = above->inside + inside;
        here->bits = above->bits | INTS(s, CONTEXT_BIT)[here->tag];
        power[e] = (here->parent == s->elements ? 1 : power[here->parent]) * ODD;
        here->path[0] = above->path[0] + mixed(look[e]) * power[e];
        here->path[1] = above->path[1] + mixed((uint64_t)here->tag + 1) * power[e];
    }
}

static void begin(Sight *s) {
    const int32_t *tag = INTS(s, TAG), *parent = INTS(s, PARENT), *block = INTS(s, BLOCK);
    const int32_t nowhere = s->elements;
    for (int32_t e = 0; e < nowhere; e++) {
        Element *here = &s->element[e];
        here->tag = tag[e];
        here->parent = parent[e] >= 0 ? parent[e] : nowhere;
        here->block = block[e] >= 0 ? block[e] : nowhere;
        here->worth = FLOATS(s, ELEMENT_SCORE)[e];
    }
    Element *none = &s->element[nowhere];
    none->tag = (int32_t)(s->size[KIND] / 4) - 1;
    none->parent = none->block = nowhere;
    for (int32_t e = 0; e <= nowhere; e++)
        s->element[e].around = s->element[s->element[e].parent].block;
}

static void outwards(Sight *s) {
    EACH_BLOCK(s, i) {
        const int32_t innermost = INTS(s, B_ELEMENT)[i];
        s->owner[i] = INTS(s, OWNER)[INTS(s, B_FIRST)[i]];
        s->outer[0][i] = innermost >= 0 ? innermost : s->elements;
        for (int level = 0; level < LEVELS; level++)
            s->outer[level + 1][i] = s->element[s->outer[level][i]].around;
    }
}

static void of_pieces(const Sight *s, int32_t *of_piece) {
    const int32_t *first = INTS(s, B_FIRST), *last = INTS(s, B_LAST);
    EACH_BLOCK(s, i)
        for (int32_t piece = first[i]; piece < last[i]; piece++)
            of_piece[piece] = i;
    of_piece[s->size[OWNER] / 4] = s->blocks;
}

static int look(Sight *s) {
    const size_t elements = (size_t)s->elements + 1, pieces = (size_t)s->size[OWNER] / 4 + 1;
    uint64_t *alike = malloc(elements * sizeof *alike), *power = malloc(elements * sizeof *power);
    int32_t *of_piece = calloc(pieces, sizeof *of_piece);
    int failed = !alike || !power || !of_piece;
    if (!failed) {
        begin(s);
        sums(s);
        of_pieces(s, of_piece);
        ranges(s, of_piece);
        look_alike(s, alike);
        gather(s, alike, power);
        outwards(s);
        failed = equals(s, alike);
    }
    free(alike);
    free(power);
    free(of_piece);
    return failed ? -1 : 0;
}

/* ---- features.py ---- */

static void own(Sight *s) {
    const int32_t *words = INTS(s, B_WORDS), *linked = INTS(s, B_LINKED), *kinds = INTS(s, B_KINDS);
    const int32_t *start = INTS(s, B_START), *end = INTS(s, B_END);
    const char *hidden = s->column[B_HIDDEN];
    static const int OF_LETTERS[] = {CAPITAL, MARK, UNSPACED};
    s->words_row = s->row;
    ROW(s, i, words[i]);
    ROW(s, i, share(linked[i], words[i]));
    ROW(s, i, share(end[i] - start[i], words[i]));
    for (int which = 0; which < 3; which++) {
        float *row = next_row(s);
        EACH_BLOCK(s, i) {
            float letters = 0;
            for (int class = 0; class < CLASSES; class++)
                letters += (float)kinds[CLASSES * i + class];
            row[i] = (float)kinds[CLASSES * i + OF_LETTERS[which]] / (letters > 1 ? letters : 1);
        }
    }
    ROW(s, i, kinds[CLASSES * i + STOP]);
    ROW(s, i, kinds[CLASSES * i + COMMA]);
    ROW(s, i, share(kinds[CLASSES * i + STOP], words[i]));
    ROW(s, i, hidden[i] != 0);
    ROW(s, i, INTS(s, B_LAST)[i] - INTS(s, B_FIRST)[i]);
    ROW(s, i, s->before[i + 1].of[TEASER] - s->before[i].of[TEASER]);
    s->said_row = s->row;
    ROW(s, i, FLOATS(s, BLOCK_SCORE)[i]);
}

static void chain(Sight *s) {
#define OWNER_OF(i) s->element[INDEX(s->owner[i], s->elements + 1)]
    ROW(s, i, OWNER_OF(i).depth);
    for (int which = 0; which < 4; which++)
        ROW(s, i, OWNER_OF(i).depth - OWNER_OF(i).below[which]);
    s->names_row = s->row;
    ROW(s, i, OWNER_OF(i).names);
    ROW(s, i, OWNER_OF(i).inside);
    ROW(s, i, OWNER_OF(i).most[0]);
    ROW(s, i, -OWNER_OF(i).most[1]);
    ROW(s, i, OWNER_OF(i).most[2]);
    ROW(s, i, -OWNER_OF(i).most[3]);
    ROW(s, i, OWNER_OF(i).worth);
    for (int bit = 0; bit < s->contexts; bit++)
        ROW(s, i, OWNER_OF(i).bits >> bit & 1);
    ROW(s, i, INTS(s, KIND)[s->element[s->outer[0][i]].tag]);
    ROW(s, i, INTS(s, KIND)[OWNER_OF(i).tag]);
#undef OWNER_OF
}

static void levels(Sight *s) {
    const double good = at_least_1(s->element[s->elements].inner.of[GOOD]);
#define AROUND(i) s->element[INDEX(s->outer[level][i], s->elements + 1)]
#define ROWS(from, value)                                                                                              \
    for (int level = from; level < LEVELS; level++)                                                                    \
    ROW(s, i, value)
    ROWS(0, AROUND(i).inner.of[WORDS]);
    ROWS(0, share(AROUND(i).inner.of[LINKED], AROUND(i).inner.of[WORDS]));
    ROWS(0, AROUND(i).inner.of[GOOD] / good);
    ROWS(0, share(AROUND(i).inner.of[SHORT], AROUND(i).inner.of[COUNT]));
    ROWS(0, AROUND(i).worth);
    ROWS(0, AROUND(i).siblings);
    ROWS(1, share(AROUND(i).inner.of[GOOD], AROUND(i).inner.of[WORDS]));
    ROWS(1, AROUND(i).inner.of[COUNT]);
    ROWS(1, share(AROUND(i).inner.of[MEDIA], AROUND(i).inner.of[COUNT]));
    ROWS(1, INTS(s, KIND)[AROUND(i).tag]);
#undef ROWS
#undef AROUND
}

static void cards(Sight *s) {
    const Sums *whole = &s->element[s->elements].inner;
    int32_t *card = s->some;
    EACH_BLOCK(s, i) {
        card[i] = -1;
        for (int level = 0; level <= LEVELS && card[i] < 0; level++)
            if (s->element[s->outer[level][i]].siblings >= CARDS)
                card[i] = s->outer[level][i];
    }
#define CARD s->element[card[i]]
#define DECK s->element[CARD.around]
#define CARD_ROW(value) ROW(s, i, card[i] < 0 ? -1 : (value))
    const float *number = s->row;
    CARD_ROW(CARD.siblings);
    s->cards = 0;
    EACH_BLOCK(s, i) s->cards += number[i] > 0;
    CARD_ROW(CARD.inner.of[WORDS]);
    CARD_ROW(share(CARD.inner.of[LINKED], CARD.inner.of[WORDS]));
    CARD_ROW(DECK.inner.of[WORDS] / at_least_1(whole->of[WORDS]));
    CARD_ROW(share(DECK.inner.of[LINKED], DECK.inner.of[WORDS]));
    CARD_ROW(share(DECK.inner.of[GOOD], DECK.inner.of[WORDS]));
    CARD_ROW(DECK.inner.of[GOOD] / at_least_1(whole->of[GOOD]));
    CARD_ROW(DECK.worth);
#undef CARD_ROW
#undef DECK
#undef CARD
}

typedef struct {
    double number, words, linked, good, block_score;
    int32_t first, last;
} Group;

static int paths_shared(Sight *s) {
    const double whole = at_least_1(s->before[s->blocks].of[WORDS]), n = s->blocks;
    uint64_t *key = malloc((size_t)s->blocks * sizeof *key);
    Group *groups = malloc((size_t)s->blocks * sizeof *groups);
    int failed = !key || !groups;
    for (int which = 0; which < 2 && !failed; which++) {
        EACH_BLOCK(s, i) key[i] = s->element[s->owner[i]].path[which];
        failed = grouped(key, s->blocks, s->some) < 0;
        if (failed)
            break;
        memset(groups, 0, (size_t)s->blocks * sizeof *groups);
        EACH_BLOCK(s, i) {
            Group *group = &groups[s->some[i]];
            const Sums sums = between(s, i, i + 1);
            if (!group->number)
                group->first = i;
            group->last = i;
            group->number += 1;
            group->words += sums.of[WORDS];
            group->linked += sums.of[LINKED];
            group->good += sums.of[GOOD];
            group->block_score += FLOATS(s, BLOCK_SCORE)[i];
        }
#define GROUP groups[s->some[i]]
        EACH_BLOCK(s, i) *s->alike++ = GROUP.first;
        ROW(s, i, GROUP.number);
        ROW(s, i, GROUP.words / GROUP.number);
        ROW(s, i, GROUP.words / whole);
        ROW(s, i, share(GROUP.linked, GROUP.words));
        ROW(s, i, share(GROUP.good, GROUP.words));
        ROW(s, i, GROUP.block_score / GROUP.number);
        ROW(s, i, (GROUP.last - GROUP.first) / n);
        ROW(s, i, (i - GROUP.first) / n);
#undef GROUP
    }
    free(key);
    free(groups);
    return failed ? -1 : 0;
}

enum { TITLE, HEADED, BRIEF, MASKS };

static int is_in(const Sight *s, int mask, int32_t i) {
    const int32_t words = INTS(s, B_WORDS)[i], level = s->level[i];
    return mask == BRIEF ? words > 0 && words <= 4 : mask == TITLE ? level > 0 && level < 3 : level > 0;
}

static void headings(Sight *s) {
    int32_t *latest = s->some;
    s->headings = 0;
    EACH_BLOCK(s, i) {
        s->level[i] = INTS(s, HEADING)[s->element[s->outer[0][i]].tag];
        s->headings += s->level[i] > 0;
    }
    ROW(s, i, s->level[i]);
    for (int mask = 0; mask < MASKS; mask++) {
        EACH_BLOCK(s, i) latest[i] = is_in(s, mask, i) ? i : i ? latest[i - 1] : -1;
        ROW(s, i, latest[i] < 0 ? 0 : FLOATS(s, BLOCK_SCORE)[latest[i]]);
        if (mask == BRIEF)
            break;
        ROW(s, i, latest[i] < 0 ? -1 : i - latest[i]);
        ROW(s, i, latest[i] < 0 ? -1 : s->before[i].of[WORDS] - s->before[latest[i]].of[WORDS]);
        ROW(s, i, latest[i] < 0 ? 0 : s->level[latest[i]]);
        float *row = next_row(s);
        int32_t next = s->blocks;
        for (int32_t i = s->blocks - 1; i >= 0; i--) {
            next = is_in(s, mask, i) ? i : next;
            row[i] = (float)(next - i < 50 ? next - i : 50);
        }
    }
    float *row = next_row(s);
    int32_t firsts = 0;
    EACH_BLOCK(s, i) {
        row[i] = (float)firsts;
        firsts += s->level[i] == 1;
    }
}

/* Two stretches of one text. */
static int same_text(int kind, const char *data, const int32_t *start, const int32_t *end, int32_t a, int32_t b) {
    return end[a] - start[a] == end[b] - start[b] &&
           !memcmp(data + (Py_ssize_t)kind * start[a], data + (Py_ssize_t)kind * start[b],
                   (size_t)kind * (size_t)(end[a] - start[a]));
}

/* Into ``some``: the first block with the same text. */
static int firsts_of_texts(Sight *s) {
    const int kind = (int)PyUnicode_KIND(s->text);
    const char *data = PyUnicode_DATA(s->text);
    const int32_t *start = INTS(s, B_START), *end = INTS(s, B_END);
    size_t room = 16;
    while (room < 2 * (size_t)s->blocks)
        room *= 2;
    int32_t *slot = malloc(room * sizeof *slot);
    if (!slot)
        return -1;
    memset(slot, -1, room * sizeof *slot);
    EACH_BLOCK(s, i) {
        uint64_t hash = (uint64_t)(end[i] - start[i]), step = 0;
        Py_ssize_t at = (Py_ssize_t)kind * start[i], stop = (Py_ssize_t)kind * end[i];
        for (; stop - at >= (Py_ssize_t)sizeof step; at += (Py_ssize_t)sizeof step) {
            memcpy(&step, data + at, sizeof step);
            hash = (hash ^ step) * ODD;
            hash ^= hash >> 32;
        }
        for (; at < stop; at++)
            hash = (hash ^ (unsigned char)data[at]) * 0x100000001B3u;
        size_t place = (size_t)(hash * ODD >> 20) & (room - 1);
        while (slot[place] >= 0 && !same_text(kind, data, start, end, slot[place], i))
            place = (place + 1) & (room - 1);
        if (slot[place] < 0)
            slot[place] = i;
        s->some[i] = slot[place];
    }
    free(slot);
    return 0;
}

/* Whether the page's title holds a block's text: 1, 0, or -1 on an error. */
static int is_named(const Sight *s, int32_t i) {
    const int32_t start = INTS(s, B_START)[i], end = INTS(s, B_END)[i];
    if (INTS(s, B_WORDS)[i] < 3 || end - start <= 3 || end - start > PyUnicode_GET_LENGTH(s->title))
        return 0;
    PyObject *block_text = PyUnicode_Substring(s->text, start, end);
    const int found = block_text ? PyUnicode_Contains(s->title, block_text) : -1;
    Py_XDECREF(block_text);
    return found;
}

static int repeats(Sight *s) {
    if (firsts_of_texts(s))
        return -1;
    float *times = next_row(s);
    memset(times, 0, (size_t)s->blocks * sizeof *times);
    EACH_BLOCK(s, i) times[s->some[i]] += 1;
    EACH_BLOCK(s, i) times[i] = times[s->some[i]]; /* a first comes before its equals */
    ROW(s, i, s->some[i] < i);
    int32_t best = -1;
    EACH_BLOCK(s, i) {
        const int named = is_named(s, i);
        if (named < 0)
            return -1;
        if (named && (best < 0 || (s->level[i] == 1 && s->level[best] != 1)))
            best = i;
    }
    ROW(s, i, best < 0 ? -200 : i - best < -100 ? -100 : i - best > 100 ? 100 : i - best);
    return 0;
}

static int order(Sight *s) {
    const double n = s->blocks, *whole = s->before[s->blocks].of, good = at_least_1(whole[GOOD]);
    ROW(s, i, i / n);
    ROW(s, i, i);
    ROW(s, i, s->blocks - i);
    ROW(s, i, s->before[i].of[WORDS] / at_least_1(whole[WORDS]));
    ROW(s, i, s->before[i].of[GOOD] / good);
    ROW(s, i, (whole[GOOD] - s->before[i + 1].of[GOOD]) / good);
    return repeats(s);
}

static void window(Sight *s) {
    for (int32_t reach = 3; reach <= 8; reach += 5) {
#define FROM(i) (i > reach ? i - reach : 0)
#define TO(i) (i + reach + 1 < s->blocks ? i + reach + 1 : s->blocks)
#define WITHIN(i, sum) (s->before[TO(i)].of[sum] - s->before[FROM(i)].of[sum])
        ROW(s, i, (s->block_score[TO(i)] - s->block_score[FROM(i)]) / (TO(i) - FROM(i)));
        ROW(s, i, WITHIN(i, GOOD));
        ROW(s, i, share(WITHIN(i, LINKED), WITHIN(i, WORDS)));
        ROW(s, i, WITHIN(i, WORDS));
        ROW(s, i, share(WITHIN(i, TEASER), WITHIN(i, WORDS)));
#undef WITHIN
#undef TO
#undef FROM
    }
}

static void neighbours(Sight *s) {
    const float *shown[] = {s->words_row, s->said_row, s->names_row};
    static const int32_t BY[] = {-2, -1, 1, 2};
    for (int by = 0; by < 4; by++)
        for (int which = 0; which < 3; which++)
            ROW(s, i, i - BY[by] >= 0 && i - BY[by] < s->blocks ? shown[which][i - BY[by]] : 0);
}

static double page_of_worth(const Sight *s, double *most, double *least) {
    double total = 0;
    *most = *least = 0; /* as of "no element" */
    for (int32_t e = 0; e < s->elements; e++) {
        const double worth = s->element[e].worth;
        total += worth;
        *most = worth > *most ? worth : *most;
        *least = worth < *least ? worth : *least;
    }
    return total / (s->elements + 1);
}

static void page(Sight *s) {
    const double *total = s->before[s->blocks].of, words = at_least_1(total[WORDS]), n = s->blocks;
    double longest = 0, many = 0, most, least;
    EACH_BLOCK(s, i) {
        const int32_t here = INTS(s, B_WORDS)[i];
        longest = here > longest ? here : longest;
        many += here >= 40;
    }
    const double mean = page_of_worth(s, &most, &least);
    const double numbers[] = {
        n, total[WORDS], total[GOOD], total[GOOD] / words, total[LINKED] / words, total[SENTENCES] / words,
        total[MEDIA] / n, total[SHORT] / n, total[TEASER] / words, longest, many, s->headings / n, s->cards / n, most, least, mean,
        s->block_score[s->blocks] / n};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        ROW(s, block, numbers[i]);
    const int32_t *tag = INTS(s, TAG), *counted = INTS(s, COUNTED);
    for (Py_ssize_t which = 0; which < s->size[COUNTED] / 4; which++) {
        int32_t count = 0;
        for (int32_t e = 0; e < s->elements; e++) /* side by side, so that many are compared at once */
            count += tag[e] == counted[which];
        ROW(s, block, count);
    }
    for (Py_ssize_t i = 0; i < s->size[OF_PAGE] / 8; i++)
        ROW(s, block, ((const double *)s->column[OF_PAGE])[i]);
}

static int features(Sight *s) {
    own(s);
    chain(s);
    levels(s);
    cards(s);
    if (paths_shared(s))
        return -1;
    headings(s);
    if (order(s))
        return -1;
    window(s);
    neighbours(s);
    page(s);
    return 0;
}

/* ---- the module ---- */

static int write_rows(Sight *s, Py_ssize_t room) {
    const size_t n = (size_t)s->blocks;
    int32_t *ints = malloc((LEVELS + 4) * n * sizeof *ints);
    s->element = calloc((size_t)s->elements + 1, sizeof *s->element);
    s->before = malloc((n + 1) * sizeof *s->before);
    s->block_score = malloc((n + 1) * sizeof *s->block_score);
    int failed = !ints || !s->element || !s->before || !s->block_score;
    if (!failed) {
        for (int level = 0; level <= LEVELS; level++)
            s->outer[level] = ints + (size_t)level * n;
        s->owner = ints + (LEVELS + 1) * n;
        s->level = ints + (LEVELS + 2) * n;
        s->some = ints + (LEVELS + 3) * n;
        s->end = s->row + room;
        failed = look(s) || features(s);
        if (!failed && s->row != s->end)
            PyErr_SetString(PyExc_ValueError, "The matrix has not as many rows as there are features.");
    }
    free(ints);
    free(s->element);
    free(s->before);
    free(s->block_score);
    return failed ? -1 : 0;
}

/* Whether columns are of one length, as far as they concern one thing. */
static int has_lengths(const Sight *s) {
    static const int OF_ELEMENTS[] = {PARENT, BLOCK, FIRST_PIECE, LAST_PIECE, ELEMENT_SCORE};
    static const int OF_BLOCKS[] = {B_FIRST, B_LAST, B_END, B_ELEMENT, B_WORDS, B_LINKED, BLOCK_SCORE};
    for (size_t i = 0; i < sizeof OF_ELEMENTS / sizeof *OF_ELEMENTS; i++)
        if (s->size[OF_ELEMENTS[i]] != s->size[TAG])
            return 0;
    for (size_t i = 0; i < sizeof OF_BLOCKS / sizeof *OF_BLOCKS; i++)
        if (s->size[OF_BLOCKS[i]] != s->size[B_START])
            return 0;
    return s->size[B_KINDS] == CLASSES * s->size[B_START] && s->size[B_HIDDEN] == s->blocks && s->size[B_OPENS] == s->blocks &&
           s->size[OWNER] == 4 * s->size[IS_MEDIA] && s->size[T_OWNER] == s->size[T_TOKEN] &&
           s->size[CONTEXT_BIT] == s->size[KIND] && s->size[HEADING] == s->size[KIND] && s->size[KIND] > 0;
}

/* Whether every index points at something: where one does not, NumPy would raise or count from the end. */
static int has_indexes(const Sight *s) {
    const Py_ssize_t elements = s->elements, blocks = s->blocks, pieces = s->size[OWNER] / 4;
    const Py_ssize_t length = PyUnicode_GET_LENGTH(s->text);
    for (int32_t e = 0; e < s->elements; e++)
        if (INTS(s, PARENT)[e] >= e)
            return 0;
    for (int32_t i = 0; i < s->blocks; i++)
        if (INTS(s, B_FIRST)[i] >= INTS(s, B_LAST)[i])
            return 0;
    return all_within(INTS(s, TAG), elements, 0, s->size[KIND] / 4 - 2) &&
           all_within(INTS(s, PARENT), elements, -1, elements - 1) &&
           all_within(INTS(s, BLOCK), elements, -1, elements - 1) &&
           all_stretches(INTS(s, FIRST_PIECE), INTS(s, LAST_PIECE), elements, pieces) &&
           all_within(INTS(s, OWNER), pieces, 0, elements - 1) &&
           all_stretches(INTS(s, B_FIRST), INTS(s, B_LAST), blocks, pieces) &&
           all_stretches(INTS(s, B_START), INTS(s, B_END), blocks, length) &&
           all_within(INTS(s, B_ELEMENT), blocks, -1, elements - 1) &&
           all_within(INTS(s, T_OWNER), s->size[T_OWNER] / 4, 0, elements - 1);
}

static int has_room(const Sight *s, Py_ssize_t room, Py_ssize_t rows) { return room == rows * s->blocks; }

static PyObject *rows(PyObject *self, PyObject *args) {
    Sight s = {0};
    PyObject *given;
    Py_buffer matrix, alike, buffer[COLUMNS];
    int contexts, features_known, got = 0;
    if (!PyArg_ParseTuple(args, "UUO!iiw*w*", &s.text, &s.title, &PyTuple_Type, &given, &contexts, &features_known,
                          &matrix, &alike))
        return NULL;
    if (PyTuple_GET_SIZE(given) == COLUMNS)
        while (got < COLUMNS && !PyObject_GetBuffer(PyTuple_GET_ITEM(given, got), &buffer[got], PyBUF_SIMPLE)) {
            s.column[got] = buffer[got].buf;
            s.size[got] = buffer[got].len;
            got++;
        }
    else
        PyErr_SetString(PyExc_ValueError, "Not the expected number of arrays.");
    if (got == COLUMNS) {
        s.elements = (int32_t)(s.size[TAG] / 4);
        s.blocks = (int32_t)(s.size[B_START] / 4);
        s.contexts = contexts;
        s.row = matrix.buf;
        s.alike = alike.buf;
        if (!has_room(&s, matrix.len / 4, features_known) || !has_room(&s, alike.len / 4, 2))
            PyErr_SetString(PyExc_ValueError, "The matrix has not the shape (features, blocks).");
        else if (demand(s.blocks > 0 && contexts <= 31 && has_lengths(&s) && has_indexes(&s), "columns that do not fit"))
            ;
        else if (write_rows(&s, matrix.len / 4) && !PyErr_Occurred())
            PyErr_NoMemory();
    }
    while (got--)
        PyBuffer_Release(&buffer[got]);
    PyBuffer_Release(&matrix);
    PyBuffer_Release(&alike);
    if (PyErr_Occurred())
        return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef METHODS[] = {
    {"rows", rows, METH_VARARGS, "features.features of sight.look, compiled; one row a feature."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_features", NULL, -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__features(void) { return PyModule_Create(&MODULE); }
