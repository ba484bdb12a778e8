/* Keyed hashes of many texts (hashing.py), compiled: BLAKE2b (RFC 7693) with a digest of four bytes.
 *
 * hashing.py is the definition; what is found here is tested equal to it. Nothing here keeps a
 * reference to its arguments, and everything allocated here is given to the caller.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

enum { BLOCK = 128, DIGEST = 4, LONGEST_KEY = 64, ROUNDS = 12 };

static const uint64_t IV[8] = {
    0x6A09E667F3BCC908u, 0xBB67AE8584CAA73Bu, 0x3C6EF372FE94F82Bu, 0xA54FF53A5F1D36F1u,
    0x510E527FADE682D1u, 0x9B05688C2B3E6C1Fu, 0x1F83D9ABFB41BD6Bu, 0x5BE0CD19137E2179u,
};

static const uint8_t SIGMA[10][16] = {
    {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, {14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3},
    {11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4}, {7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8},
    {9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13}, {2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11}, {13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5}, {10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0},
};

typedef struct {
    uint64_t h[8], count;
    uint8_t block[BLOCK];
    int held;
} State;

static inline uint64_t turned(uint64_t word, int by) { return word >> by | word << (64 - by); }

static inline uint64_t little(const uint8_t *from) {
    uint64_t word = 0;
    for (int i = 7; i >= 0; i--)
        word = word << 8 | from[i];
    return word;
}

#define MIX(a, b, c, d, x, y)                                                                                          \
    v[a] += v[b] + (x), v[d] = turned(v[d] ^ v[a], 32), v[c] += v[d], v[b] = turned(v[b] ^ v[c], 24);                   \
    v[a] += v[b] + (y), v[d] = turned(v[d] ^ v[a], 16), v[c] += v[d], v[b] = turned(v[b] ^ v[c], 63)

static void compress(State *state, int is_last) {
    uint64_t v[16], m[16];
    for (int i = 0; i < 16; i++)
        m[i] = little(state->block + 8 * i);
    memcpy(v, state->h, sizeof state->h);
    memcpy(v + 8, IV, sizeof IV);
    v[12] ^= state->count;
    if (is_last)
        v[14] = ~v[14];
    for (int round = 0; round < ROUNDS; round++) {
        const uint8_t *s = SIGMA[round % 10];
        MIX(0, 4, 8, 12, m[s[0]], m[s[1]]);
        MIX(1, 5, 9, 13, m[s[2]], m[s[3]]);
        MIX(2, 6, 10, 14, m[s[4]], m[s[5]]);
        MIX(3, 7, 11, 15, m[s[6]], m[s[7]]);
        MIX(0, 5, 10, 15, m[s[8]], m[s[9]]);
        MIX(1, 6, 11, 12, m[s[10]], m[s[11]]);
        MIX(2, 7, 8, 13, m[s[12]], m[s[13]]);
        MIX(3, 4, 9, 14, m[s[14]], m[s[15]]);
    }
    for (int i = 0; i < 8; i++)
        state->h[i] ^= v[i] ^ v[i + 8];
}

/* The last block is held back: it is compressed as such when the text has ended. */
static inline void put(State *state, uint8_t byte) {
    if (state->held == BLOCK) {
        state->count += BLOCK;
        compress(state, 0);
        state->held = 0;
    }
    state->block[state->held++] = byte;
}

/* A character as UTF-8, surrogates too. */
static inline void put_char(State *state, Py_UCS4 c) {
    if (c < 0x80) {
        put(state, (uint8_t)c);
        return;
    }
    if (c < 0x800) {
        put(state, (uint8_t)(0xC0 | c >> 6));
    } else {
        if (c < 0x10000) {
            put(state, (uint8_t)(0xE0 | c >> 12));
        } else {
            put(state, (uint8_t)(0xF0 | c >> 18));
            put(state, (uint8_t)(0x80 | (c >> 12 & 0x3F)));
        }
        put(state, (uint8_t)(0x80 | (c >> 6 & 0x3F)));
    }
    put(state, (uint8_t)(0x80 | (c & 0x3F)));
}

/* What all texts begin with: the parameters, and the key as a block of its own. */
static State keyed(const uint8_t *key, int size) {
    State state = {.count = 0, .held = 0};
    memcpy(state.h, IV, sizeof IV);
    state.h[0] ^= 0x01010000u ^ (uint64_t)size << 8 ^ DIGEST;
    if (size) {
        memcpy(state.block, key, (size_t)size);
        state.count = BLOCK;
        compress(&state, 0);
    }
    return state;
}

static void end(State *state, uint8_t *digest) {
    state->count += (uint64_t)state->held;
    memset(state->block + state->held, 0, (size_t)(BLOCK - state->held));
    compress(state, 1);
    for (int i = 0; i < DIGEST; i++)
        digest[i] = (uint8_t)(state->h[0] >> 8 * i);
}

static void hash_all(int kind, const void *data, Py_ssize_t count, const int32_t *starts, const int32_t *ends,
                     const uint8_t *seeds, const State *first, uint8_t *digests) {
    for (Py_ssize_t n = 0; n < count; n++) {
        State state = *first;
        for (int i = 0; i < 4; i++)
            put(&state, seeds[4 * n + i]);
        for (Py_ssize_t at = starts[n]; at < ends[n]; at++) {
            const Py_UCS4 c = PyUnicode_READ(kind, data, at);
            if (c < '0' || c > '9')
                put_char(&state, c);
        }
        end(&state, digests + DIGEST * n);
    }
}

static int is_inside(Py_ssize_t size, Py_ssize_t count, const int32_t *starts, const int32_t *ends) {
    for (Py_ssize_t n = 0; n < count; n++)
        if (starts[n] < 0 || ends[n] > size)
            return 0;
    return 1;
}

static PyObject *hashes(PyObject *module, PyObject *args) {
    PyObject *text, *found = NULL;
    Py_buffer starts, ends, seeds, key;
    if (!PyArg_ParseTuple(args, "Uy*y*y*y*", &text, &starts, &ends, &seeds, &key))
        return NULL;
    const Py_ssize_t count = starts.len / 4;
    if (ends.len / 4 != count || seeds.len / 4 != count || key.len > LONGEST_KEY ||
        !is_inside(PyUnicode_GET_LENGTH(text), count, starts.buf, ends.buf)) {
        PyErr_SetString(PyExc_ValueError, "a start, an end and a seed for each text, and a key of at most 64 bytes");
    } else if ((found = PyBytes_FromStringAndSize(NULL, DIGEST * count))) {
        const State first = keyed(key.buf, (int)key.len);
        hash_all(PyUnicode_KIND(text), PyUnicode_DATA(text), count, starts.buf, ends.buf, seeds.buf, &first,
                 (uint8_t *)PyBytes_AS_STRING(found));
    }
    PyBuffer_Release(&starts);
    PyBuffer_Release(&ends);
    PyBuffer_Release(&seeds);
    PyBuffer_Release(&key);
    return found;
}

static PyMethodDef METHODS[] = {
    {"hashes", hashes, METH_VARARGS, "hashing.hashes, compiled."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef MODULE = {PyModuleDef_HEAD_INIT, "_hashing", NULL, -1, METHODS, NULL, NULL, NULL, NULL};

PyMODINIT_FUNC PyInit__hashing(void) { return PyModule_Create(&MODULE); }
