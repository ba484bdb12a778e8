/* From the log-odds of a page's blocks to the pieces that are kept (decision.py, page_evidence.py, page_runs.py,
 * completion.py), compiled.
 *
 * Those files are the definitions and tell what each number means; what is found here is tested equal to them, bit by
 * bit: sums are from the first to the last, exp and log those of the C library, as Python's are. Functions bear the
 * definitions' names. Nothing here keeps a reference to its arguments, and everything allocated here is freed here.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../../document/_checks.h"

static inline double at_least(double value, double least) { return value < least ? least : value; }
static inline double within(double value, double low, double high) {
    value = value < low ? low : value;
    return value > high ? high : value;
}

/* ---- decision.py ---- */

#define LIKELY 0.4
#define LOWEST 0.2
#define HIGHEST 0.45
#define CERTAIN 1e-4
enum { AGGREGATES = 8, EVIDENCE = 22 };

typedef struct {
    Py_ssize_t count;
    const double *score, *shift;           /* shift: NULL where there is none */
    const int32_t *words, *linked, *alike; /* alike: two rows of groups */
    const uint8_t *hidden;
    double *probability;
    uint8_t *kept;
    float *found;
    double *room;   /* two numbers a block */
    double *chance; /* by its own log-odds; one a block */
    int32_t *order; /* two a block */
} Blocks;

static inline double probability(double score) { return 1 / (1 + exp(-within(score, -30, 30))); }

/* Into ``probability``: the log-odds. */
static void averaged(Blocks *b, const double agreement[2]) {
    const double own = 1 - (agreement[0] + agreement[1]);
    double *const every = b->room, *const content = b->room + b->count, *const smoothed = b->probability;
    for (Py_ssize_t i = 0; i < b->count; i++) {
        smoothed[i] = b->score[i] * own;
        b->chance[i] = probability(b->score[i]);
    }
    for (int row = 0; row < 2; row++) {
        const int32_t *group = b->alike + row * b->count;
        memset(b->room, 0, 2 * (size_t)b->count * sizeof *b->room);
        for (Py_ssize_t i = 0; i < b->count; i++) {
            const double weight = b->words[i] + 0.5;
            every[group[i]] += weight;
            content[group[i]] += b->chance[i] * weight;
        }
        for (Py_ssize_t i = 0; i < b->count; i++)
            if (every[i] > 0) {
                const double share = within(content[i] / at_least(every[i], 0.5), CERTAIN, 1 - CERTAIN);
                content[i] = log(share / (1 - share));
            }
        for (Py_ssize_t i = 0; i < b->count; i++)
            smoothed[i] += agreement[row] * content[group[i]];
    }
}

/* The blocks by their probability, the highest first; of equals the first one. */
static const int32_t *ordered(const Blocks *b) {
    int32_t *from = b->order, *to = b->order + b->count;
    for (Py_ssize_t i = 0; i < b->count; i++)
        from[i] = (int32_t)i;
    for (Py_ssize_t width = 1; width < b->count; width *= 2) {
        for (Py_ssize_t start = 0; start < b->count; start += 2 * width) {
            const Py_ssize_t middle = start + width < b->count ? start + width : b->count;
            const Py_ssize_t end = middle + width < b->count ? middle + width : b->count;
            Py_ssize_t left = start, right = middle;
            for (Py_ssize_t at = start; at < end; at++) {
                const int is_left = left < middle && (right == end || !(b->probability[from[right]] > b->probability[from[left]]));
                to[at] = from[is_left ? left++ : right++];
            }
        }
        int32_t *const other = from;
        from = to;
        to = other;
    }
    return from;
}

static double expected_f1(const Blocks *b) {
    const int32_t *order = ordered(b);
    double *const content = b->room, best = 0, total = 0;
    int64_t words = 0;
    for (Py_ssize_t i = 0; i < b->count; i++)
        content[i] = total += b->probability[order[i]] * b->words[order[i]];
    if (!(total > 0))
        return 0;
    for (Py_ssize_t i = 0; i < b->count; i++) {
        words += b->words[order[i]];
        const double f1 = 2 * content[i] / ((double)words + total);
        best = f1 > best ? f1 : best;
    }
    return best;
}

static double threshold(double expected) { return within(expected / 2, LOWEST, HIGHEST); }

/* Into ``kept``; a silent block is kept if the nearest that speak are. */
static void fill_silent(const Blocks *b, double limit) {
    Py_ssize_t before = -1;
    for (Py_ssize_t i = 0; i < b->count; i++)
        b->kept[i] = b->words[i] > 0 && b->probability[i] > limit;
    for (Py_ssize_t after = 0; after <= b->count; after++) {
        if (after < b->count && !(b->words[after] > 0))
            continue;
        if (before >= 0 || after < b->count) {
            const Py_ssize_t left = before < 0 ? after : before, right = after < b->count ? after : before;
            for (Py_ssize_t i = before + 1; i < after; i++)
                b->kept[i] = b->kept[left] && b->kept[right];
        }
        before = after;
    }
}

static void aggregates(const Blocks *b, double expected) {
    double content = 0, most = 0;
    int64_t words = 0, likely = 0, likely_words = 0, longest = 0;
    for (Py_ssize_t i = 0; i < b->count; i++) {
        const double chance = b->probability[i];
        content += chance * b->words[i];
        words += b->words[i];
        most = chance > most ? chance : most;
        if (chance > LIKELY) {
            likely++;
            likely_words += b->words[i];
            longest = b->words[i] > longest ? b->words[i] : longest;
        }
    }
    const double found[AGGREGATES] = {
        content, content / at_least((double)words, 1), (double)likely, most, expected, (double)longest,
        (double)likely_words, (double)likely_words / at_least((double)likely, 1),
    };
    for (int i = 0; i < AGGREGATES; i++)
        b->found[i] = (float)found[i];
}

/* ---- page_evidence.py ---- */

#define SURE 0.75
#define POSSIBLE 0.1
enum { FEWEST = 20, PROSE = 8 };
static const double BANDS[2][2] = {{0.1, 0.25}, {0.8, 0.95}};

typedef struct {
    int64_t words, kept, longest;            /* of all; of those kept; of the longest block kept */
    int64_t sure, possible, bands[2];        /* words of such a chance */
    double right, every, doubt, variance;    /* words that are content: kept ones, all; how sure that is */
    int64_t before, until, runs, run, most;  /* words before the first kept, up to the last; runs kept, the longest */
    int64_t linked, plain, agreed, prose;    /* linked words kept; words of few links, all and kept; prose lost */
} Evidence;

static void add(const Blocks *b, Py_ssize_t i, Evidence *e) {
    const int64_t words = b->words[i], linked = b->linked[i];
    const int kept = b->kept[i] != 0, shown = !b->hidden[i], plain = linked * 2 <= words && shown;
    const double chance = b->probability[i], likely = chance * (double)words;
    e->words += words;
    e->sure += chance > SURE ? words : 0;
    e->possible += chance > POSSIBLE ? words : 0;
    e->every += likely;
    for (int band = 0; band < 2; band++)
        e->bands[band] += chance > BANDS[band][0] && chance <= BANDS[band][1] ? words : 0;
    const double bounded = within(chance, 1e-6, 1 - 1e-6);
    e->variance += bounded * (1 - bounded) * (double)words * (double)words;
    e->plain += plain ? words : 0;
    e->prose += linked * 3 < words && words >= PROSE && shown && !kept ? words : 0;
    if (kept) {
        const double entropy = -(bounded * log(bounded) + (1 - bounded) * log(1 - bounded));
        e->kept += words;
        e->longest = words > e->longest ? words : e->longest;
        e->right += likely;
        e->doubt += entropy * (double)words;
        e->linked += linked;
        e->agreed += plain ? words : 0;
    }
    if (words > 0 && kept) {
        e->before = e->runs ? e->before : e->words - words;
        e->until = e->words;
        e->runs += !e->run;
        e->run += words;
        e->most = e->run > e->most ? e->run : e->most;
    } else if (words > 0)
        e->run = 0;
}

/* Returns the share of linked words in what is kept. */
static double evidence(const Blocks *b, double limit) {
    Evidence e = {0};
    for (Py_ssize_t i = 0; i < b->count; i++)
        add(b, i, &e);
    if (!e.runs)
        e.before = e.until = e.words;
    const double kept = (double)e.kept, possible = at_least((double)e.possible, 1), some = at_least(kept, 1);
    const double base = at_least(kept, FEWEST), gaps = e.runs ? (double)(e.until - e.before - e.kept) : 0;
    const double found[EVIDENCE] = {
        (double)e.sure / possible, (double)e.sure / some, kept / possible,
        e.right / some, e.right / at_least(e.every, 1), 2 * e.right / at_least(kept + e.every, 1),
        limit,
        e.doubt / base, sqrt(e.variance) / base, (double)e.bands[0] / base, (double)e.bands[1] / base,
        (double)e.words, kept, (double)e.longest / some,
        (double)e.before, (double)(e.words - e.until), e.runs ? gaps / at_least(gaps + kept, 1) : 0, (double)e.runs,
        (double)e.most / some,
        (double)e.linked / some, 2 * (double)e.agreed / at_least((double)e.plain + kept, 1), (double)e.prose / some,
    };
    for (int i = 0; i < EVIDENCE; i++)
        b->found[AGGREGATES + i] = (float)found[i];
    return (double)e.linked / some;
}

static PyObject *decide(PyObject *self, PyObject *args) {
    enum { SCORE, SHIFT, WORDS, LINKED, HIDDEN, ALIKE, CHANCE, KEPT, FOUND, COLUMNS };
    Py_buffer of[COLUMNS];
    double agreement[2], expected = 0, limit = 0, linked = 0;
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*y*ddw*w*w*", &of[SCORE], &of[SHIFT], &of[WORDS], &of[LINKED], &of[HIDDEN],
                          &of[ALIKE], &agreement[0], &agreement[1], &of[CHANCE], &of[KEPT], &of[FOUND]))
        return NULL;
    const Py_ssize_t count = of[KEPT].len;
    Blocks b = {count, of[SCORE].buf, of[SHIFT].len ? of[SHIFT].buf : NULL, of[WORDS].buf, of[LINKED].buf, of[ALIKE].buf,
                of[HIDDEN].buf, of[CHANCE].buf, of[KEPT].buf, of[FOUND].buf, NULL, NULL, NULL};
    const int fits = of[SCORE].len == 8 * count && (!b.shift || of[SHIFT].len == 8 * count) && of[WORDS].len == 4 * count &&
                     of[LINKED].len == 4 * count && of[HIDDEN].len == count && of[ALIKE].len == 8 * count &&
                     of[CHANCE].len == 8 * count && of[FOUND].len == 4 * (AGGREGATES + EVIDENCE) &&
                     all_within(b.alike, 2 * count, 0, count - 1) && all_within(b.words, count, 0, INT32_MAX);
    int failed = demand(fits, "a score, words and groups of each block");
    if (!failed) {
        b.room = malloc((3 * (size_t)count + 1) * sizeof *b.room);
        b.order = malloc((2 * (size_t)count + 1) * sizeof *b.order);
        failed = !b.room || !b.order;
        if (failed)
            PyErr_NoMemory();
    }
    if (!failed) {
        b.chance = b.room + 2 * count;
        averaged(&b, agreement);
        for (Py_ssize_t i = 0; i < count; i++)
            b.probability[i] = probability(b.shift ? b.probability[i] + b.shift[i] : b.probability[i]);
        expected = expected_f1(&b);
        limit = threshold(expected);
        fill_silent(&b, limit);
        aggregates(&b, expected);
        linked = evidence(&b, limit);
    }
    free(b.room);
    free(b.order);
    for (int i = 0; i < COLUMNS; i++)
        PyBuffer_Release(&of[i]);
    return failed ? NULL : Py_BuildValue("ddd", expected, limit, linked);
}

/* ---- page_runs.py ---- */

#define SURE_OUTSIDE 0.8
enum { BARS = 2, STRETCHES = BARS + 1, OF_EACH = 21, RUN_NUMBERS = STRETCHES * OF_EACH + 2, LED = 3, TEXT = 60 };
enum { RECORD = 60, SAID = 5, RECORDS = 3 };

typedef struct {
    Py_ssize_t count;
    const int32_t *words, *linked;
    const uint8_t *hidden, *kept;
    const double *chance;
    uint8_t *led, *listed;
    double content, right; /* expected content: of all blocks, of those kept */
    int64_t every;         /* words kept */
} Stretched;

static double score_of(const Stretched *s, const uint8_t *zero, double bar, Py_ssize_t i) {
    const double score = s->words[i] * ((zero && zero[i] ? 0 : s->chance[i]) - bar);
    return s->hidden[i] && score > 0 ? 0 : score;
}

/* Into ``mask``: the maximum subsequence behind a block; blocks of ``zero``, if there is such, have no chance.
 * Returns its first block, or the first that there is. */
static Py_ssize_t best_stretch(const Stretched *s, const uint8_t *zero, double bar, Py_ssize_t first, uint8_t *mask) {
    double after = 0, lowest = 0, best = 0;
    Py_ssize_t start = first, end = first, low = first, begin = -1;
    for (Py_ssize_t i = first; i < s->count; i++) {
        const double score = score_of(s, zero, bar, i);
        after += score;
        const double before = after - (score > 0 ? score : 0);
        if (i == first || before < lowest) {
            lowest = before;
            low = i;
        }
        if (after - lowest > best) {
            best = after - lowest;
            start = low;
            end = i + 1;
        }
    }
    if (s->count > 0)
        memset(mask, 0, (size_t)s->count);
    for (Py_ssize_t i = start, is_open = 0; i < end; i++) {
        is_open |= score_of(s, zero, bar, i) > 0;
        mask[i] = is_open && !s->hidden[i] && !(zero && zero[i]);
        begin = begin < 0 && mask[i] ? i : begin;
    }
    return begin < 0 ? 0 : begin;
}

static void led(Stretched *s) {
    int before = 0;
    for (Py_ssize_t i = 0; i < s->count; i++) {
        s->led[i] = s->words[i] > 0 && before;
        if (s->words[i] > 0)
            before = (int64_t)s->linked[i] * 2 > s->words[i] && s->words[i] >= LED;
    }
}

/* Into ``listed``, which is 0: the blocks of lists of records. */
static void lists(Stretched *s) {
    Py_ssize_t begin = 0, last = 0; /* of records in a row: the first and the last line with a link */
    int64_t records = 0, said = 0, words = RECORD + 1, linked = 0;
    for (Py_ssize_t i = 0; i <= s->count; i++) {
        if (i == s->count || (!s->hidden[i] && s->linked[i] >= LED)) {
            const int is_record = words <= RECORD;
            records += is_record;
            said += is_record && words - linked >= SAID;
            if (!is_record || i == s->count) {
                if (said >= RECORDS && 2 * said >= records)
                    memset(s->listed + begin, 1, (size_t)((is_record ? i : last) - begin));
                begin = i;
                records = said = 0;
            }
            last = i;
            words = linked = 0;
        }
        if (i < s->count && !s->hidden[i]) {
            words += s->words[i];
            linked += s->linked[i];
        }
    }
}

static void of_each(const Stretched *s, const uint8_t *mask, float *found) {
    int64_t words = 0, out = 0, inner = 0, both = 0, linked = 0, linked_out = 0, longest = 0, sure = 0, led_out = 0, led_in = 0;
    int64_t before = 0, behind = 0, blocks = 0, out_blocks = 0, runs = 0;
    double inside = 0, outside = 0, best = 0, best_out = 0;
    for (Py_ssize_t i = 0; i < s->count; i++) {
        const int64_t own = s->words[i];
        const double likely = (double)own * s->chance[i];
        if (mask[i]) {
            words += own;
            inside += likely;
            inner += s->kept[i] ? 0 : own;
            both += s->kept[i] ? own : 0;
            linked += s->linked[i];
            led_in += s->led[i] ? own : 0;
            best = likely > best ? likely : best;
            blocks++;
            behind = 0;
        } else if (s->kept[i]) {
            out += own;
            outside += likely;
            linked_out += s->linked[i];
            longest = own > longest ? own : longest;
            sure += s->chance[i] > SURE_OUTSIDE ? own : 0;
            led_out += s->led[i] ? own : 0;
            best_out = likely > best_out ? likely : best_out;
            out_blocks++;
            runs += i > 0 && (mask[i - 1] || !s->kept[i - 1]);
            before += blocks ? 0 : own;
            behind += own;
        }
    }
    const double whole = at_least((double)words, 1), rest = at_least((double)out, 1), every = at_least((double)s->every, 1);
    const double numbers[OF_EACH] = {
        whole / every, inside / at_least(s->content, 1), inside / whole,
        (double)inner / whole, (double)linked / whole, (double)blocks, whole,
        blocks ? (double)before / whole : 0, (double)behind / whole,
        outside / rest, (double)linked_out / rest, (double)longest, (double)sure / whole,
        2 * inside / at_least(whole + s->content, 1) - 2 * s->right / at_least(every + s->content, 1),
        2 * (double)both / at_least(whole + every, 1), (double)runs,
        (double)led_out / rest, (double)led_in / whole,
        rest / at_least((double)out_blocks, 1), whole / at_least((double)blocks, 1),
        best_out / at_least(best, 1),
    };
    for (int i = 0; i < OF_EACH; i++)
        found[i] = (float)numbers[i];
}

static void stretches(Stretched *s, const int32_t *headlines, Py_ssize_t heads, const double bars[BARS], uint8_t *masks,
                      float *found) {
    Py_ssize_t above = -1, begin = 0;
    int64_t between = 0, text = 0;
    led(s);
    lists(s);
    for (Py_ssize_t i = 0; i < s->count; i++) {
        const double likely = s->words[i] * s->chance[i];
        s->content += likely;
        s->right += s->kept[i] ? likely : 0;
        s->every += s->kept[i] ? s->words[i] : 0;
    }
    begin = best_stretch(s, NULL, bars[BARS - 1], 0, masks);
    for (Py_ssize_t i = heads == 1 && headlines[0] > 0 ? headlines[0] : 0; heads == 1 && i < s->count; i++)
        text += s->kept[i] ? s->words[i] : 0;
    for (Py_ssize_t i = 0; i < heads && (headlines[i] <= begin + 1 || text >= TEXT); i++)
        above = headlines[i] > 0 ? headlines[i] : 0;
    const Py_ssize_t first = above < 0 ? 0 : above;
    for (Py_ssize_t i = 0; i < s->count; i++)
        masks[i] = i >= first && s->kept[i];
    for (int bar = 0; bar < BARS; bar++)
        begin = best_stretch(s, bar ? NULL : s->listed, bars[bar], first, masks + (bar + 1) * s->count);
    for (int each = 0; each < STRETCHES; each++)
        of_each(s, masks + each * s->count, found + each * OF_EACH);
    for (Py_ssize_t i = first; i < begin; i++)
        between += s->words[i];
    const uint8_t *const run = masks + BARS * s->count;
    found[RUN_NUMBERS - 2] = above >= 0 && s->count && run[begin] ? (float)between : -1;
    found[RUN_NUMBERS - 1] = (float)heads;
}

static PyObject *runs(PyObject *self, PyObject *args) {
    enum { WORDS, LINKED, HIDDEN, CHANCE, KEPT, HEADLINES, MASKS, FOUND, COLUMNS };
    Py_buffer of[COLUMNS];
    double bars[BARS];
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*y*ddw*w*", &of[WORDS], &of[LINKED], &of[HIDDEN], &of[CHANCE], &of[KEPT],
                          &of[HEADLINES], &bars[0], &bars[1], &of[MASKS], &of[FOUND]))
        return NULL;
    const Py_ssize_t count = of[KEPT].len, heads = of[HEADLINES].len / 4;
    Stretched s = {.count = count, .words = of[WORDS].buf, .linked = of[LINKED].buf, .hidden = of[HIDDEN].buf,
                   .kept = of[KEPT].buf, .chance = of[CHANCE].buf};
    const int fits = of[WORDS].len == 4 * count && of[LINKED].len == 4 * count && of[HIDDEN].len == count &&
                     of[CHANCE].len == 8 * count && of[MASKS].len == STRETCHES * count &&
                     of[FOUND].len == 4 * RUN_NUMBERS && all_within(of[HEADLINES].buf, heads, -1, count - 1) &&
                     all_within(s.words, count, 0, INT32_MAX);
    int failed = demand(fits, "words, a chance and a choice of each block");
    if (!failed && !(s.led = calloc(2 * (size_t)count + 1, 1))) {
        PyErr_NoMemory();
        failed = 1;
    }
    if (!failed) {
        s.listed = s.led + count;
        stretches(&s, of[HEADLINES].buf, heads, bars, of[MASKS].buf, of[FOUND].buf);
    }
    free(s.led);
    for (int i = 0; i < COLUMNS; i++)
        PyBuffer_Release(&of[i]);
    if (failed)
        return NULL;
    Py_RETURN_NONE;
}

/* ---- pictures.py ---- */

enum { CAPTION = 60, LEAD = 40, ASIDE = 20, APART = 3 };
/* What pictures.py says of each tag code. */
enum { FIGURE = 1, LINK = 2, HEADLINE = 4, IMAGE = 8 };

typedef struct {
    Py_ssize_t elements, pieces;
    const int32_t *tag, *first, *last, *words;     /* of elements; words: of pieces */
    const uint8_t *role, *media, *hidden, *linked; /* role: by tag code */
    const double *chances; /* of pieces */
    double doubtful;
    uint8_t *kept;
    int64_t *dropped; /* words that are not kept before each piece */
    int32_t *steps;   /* where links to elsewhere begin and end */
} Pieces;

#define ROLE(p, e) (p)->role[(p)->tag[e]]

static int is_picture(const Pieces *p, Py_ssize_t figure) {
    int64_t every = 0, linked = 0;
    int has_media = 0;
    for (Py_ssize_t i = p->first[figure]; i < p->last[figure]; i++) {
        has_media |= p->media[i];
        every += p->words[i];
        linked += p->linked[i] ? p->words[i] : 0;
    }
    return has_media && every <= CAPTION && !(0 < every && every == linked);
}

/* Where the text begins with its lead: behind the headline shortly before its first piece. */
static Py_ssize_t lead(const Pieces *p, Py_ssize_t first) {
    Py_ssize_t found = -1;
    for (Py_ssize_t e = 0; e < p->elements; e++)
        if (ROLE(p, e) & HEADLINE && p->last[e] <= first && p->last[e] >= first - LEAD && p->last[e] > found)
            found = p->last[e];
    return found < 0 ? first : found;
}

static void with_figures(Pieces *p) {
    Py_ssize_t first = 0, last = p->pieces - 1;
    while (first < p->pieces && !p->kept[first])
        first++;
    while (last >= 0 && !p->kept[last])
        last--;
    if (last < 0)
        return;
    first = lead(p, first);
    for (Py_ssize_t e = 0; e < p->elements; e++)
        if (ROLE(p, e) & FIGURE && first <= p->first[e] && p->last[e] - 1 <= last && is_picture(p, e))
            for (Py_ssize_t i = p->first[e]; i < p->last[e]; i++)
                p->kept[i] |= p->media[i] && !p->hidden[i];
}

static void with_lone_ones(Pieces *p) {
    int64_t *const dropped = p->dropped;
    Py_ssize_t before = -1; /* the last kept piece with words */
    dropped[0] = 0;
    for (Py_ssize_t i = 0; i < p->pieces; i++)
        dropped[i + 1] = dropped[i] + (p->hidden[i] || p->kept[i] ? 0 : p->words[i]);
    memset(p->steps, 0, ((size_t)p->pieces + 1) * sizeof *p->steps);
    for (Py_ssize_t e = 0; e < p->elements; e++)
        if (ROLE(p, e) & LINK && dropped[p->last[e]] > dropped[p->first[e]]) {
            p->steps[p->first[e]]++;
            p->steps[p->last[e]]--;
        }
    for (Py_ssize_t i = 1; i < p->pieces; i++)
        p->steps[i] += p->steps[i - 1]; /* above 0: it leads away */
    for (Py_ssize_t i = 0; i < p->pieces; i++) {
        if (!p->kept[i] || p->words[i] <= 0)
            continue;
        if (before >= 0 && dropped[i] - dropped[before] <= ASIDE)
            for (Py_ssize_t lone = before + 1; lone < i; lone++)
                p->kept[lone] |= p->media[lone] && !p->hidden[lone] && p->steps[lone] <= 0;
        before = i;
    }
}

/* Without images in no figure, of text that is left out or doubtful; steps is room for the kept text behind each piece. */
static void without_others(Pieces *p) {
    Py_ssize_t before = -1, after = -1, figure = 0; /* figure: where those so far end */
    for (Py_ssize_t i = p->pieces - 1; i >= 0; i--) {
        if (p->kept[i] && p->words[i] > 0)
            after = i;
        p->steps[i] = (int32_t)after;
    }
    if (after < 0)
        return;
    for (Py_ssize_t e = 0, i = 0; e < p->elements; e++) {
        if (ROLE(p, e) & FIGURE && p->last[e] > figure)
            figure = p->last[e];
        if (!(ROLE(p, e) & IMAGE) || p->first[e] >= p->pieces || p->first[e] < figure)
            continue;
        for (; i < p->first[e]; i++)
            before = p->kept[i] && p->words[i] > 0 ? i : before;
        double best = before >= 0 ? p->chances[before] : 0.0;
        const Py_ssize_t behind = p->steps[p->first[e]];
        if (behind >= 0 && p->chances[behind] > best)
            best = p->chances[behind];
        const int is_apart = before >= 0 && p->dropped[p->first[e]] - p->dropped[before] > APART;
        if (is_apart || best < p->doubtful)
            p->kept[p->first[e]] = 0;
    }
}

static PyObject *pictures(PyObject *self, PyObject *args) {
    enum { TAGS, FIRST, LAST, ROLES, IS_MEDIA, IS_HIDDEN, IS_LINKED, P_WORDS, CHANCES, IS_KEPT, COLUMNS };
    Py_buffer of[COLUMNS];
    double doubtful;
    if (!PyArg_ParseTuple(args, "y*y*y*y*y*y*y*y*y*dw*", &of[TAGS], &of[FIRST], &of[LAST], &of[ROLES], &of[IS_MEDIA],
                          &of[IS_HIDDEN], &of[IS_LINKED], &of[P_WORDS], &of[CHANCES], &doubtful, &of[IS_KEPT]))
        return NULL;
    const Py_ssize_t elements = of[TAGS].len / 4, pieces = of[IS_KEPT].len;
    Pieces p = {.elements = elements, .pieces = pieces, .tag = of[TAGS].buf, .first = of[FIRST].buf, .last = of[LAST].buf,
                .words = of[P_WORDS].buf, .role = of[ROLES].buf, .media = of[IS_MEDIA].buf, .hidden = of[IS_HIDDEN].buf,
                .linked = of[IS_LINKED].buf, .chances = of[CHANCES].buf, .doubtful = doubtful, .kept = of[IS_KEPT].buf};
    const int fits = of[FIRST].len == of[TAGS].len && of[LAST].len == of[TAGS].len && of[IS_MEDIA].len == pieces &&
                     of[IS_HIDDEN].len == pieces && of[IS_LINKED].len == pieces && of[P_WORDS].len == 4 * pieces && of[CHANCES].len == 8 * pieces &&
                     all_within(p.tag, elements, 0, of[ROLES].len - 1) &&
                     all_stretches(p.first, p.last, elements, pieces);
    const size_t count = (size_t)pieces + 1;
    const int refused = demand(fits, "elements of pieces, and what is known of each piece");
    void *const room = refused ? NULL : malloc(count * (sizeof *p.dropped + sizeof *p.steps));
    if (room) {
        p.dropped = room;
        p.steps = (int32_t *)(p.dropped + count);
        with_figures(&p);
        with_lone_ones(&p);
        without_others(&p);
    } else if (!refused)
        PyErr_NoMemory();
    free(room);
    for (int i = 0; i < COLUMNS; i++)
        PyBuffer_Release(&of[i]);
    if (!room)
        return NULL;
    Py_RETURN_NONE;
}

static PyMethodDef METHODS[] = {
    {"decide", decide, METH_VARARGS, "decision.decide, compiled."},
    {"runs", runs, METH_VARARGS, "page_runs.page_runs, compiled."},
    {"pictures", pictures, METH_VARARGS, "pictures.with_pictures, compiled."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_decision", NULL, -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__decision(void) { return PyModule_Create(&MODULE); }
