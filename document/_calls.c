/* What stands around a step and is called more often than anything else: a compiled loop with its definition
 * (document/compiled.py: loop), a step that needs something of a page (document/parsing/signature.py: needs), one whose
 * result is kept (document/document.py: once). These are defined there; here a call costs no frame of Python.
 */
#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stddef.h>
#include <structmember.h>

typedef struct {
    PyObject_HEAD
    vectorcallfunc call;
    PyObject *step, *other, *third, *dict;
} Around;

static PyObject *SIGNATURE, *FOUND;

static PyObject *raised(void) {
    PyObject *type, *error, *trace;
    PyErr_Fetch(&type, &error, &trace);
    PyErr_NormalizeException(&type, &error, &trace);
    if (trace)
        PyException_SetTraceback(error, trace);
    Py_XDECREF(type);
    Py_XDECREF(trace);
    return error;
}

/* The step, and where it fails the other, its definition, when the third was told. */
static PyObject *either(PyObject *self, PyObject *const *args, size_t count, PyObject *names) {
    Around *around = (Around *)self;
    PyObject *result = PyObject_Vectorcall(around->step, args, count, names);
    if (result || PyErr_ExceptionMatches(PyExc_MemoryError) || !PyErr_ExceptionMatches(PyExc_Exception))
        return result;
    PyObject *error = raised(), *told = PyObject_CallOneArg(around->third, error);
    Py_DECREF(error);
    if (!told)
        return NULL;
    Py_DECREF(told);
    return PyObject_Vectorcall(around->other, args, count, names);
}

/* The step where the page's signature has a bit of the other; else the third, or the second argument. */
static PyObject *gated(PyObject *self, PyObject *const *args, size_t count, PyObject *names) {
    Around *around = (Around *)self;
    Py_ssize_t given = PyVectorcall_NARGS(count);
    if (given) {
        PyObject *signature = PyObject_GetAttr(args[0], SIGNATURE);
        PyObject *both = signature ? PyNumber_And(signature, around->other) : NULL;
        Py_XDECREF(signature);
        int is_there = both ? PyObject_IsTrue(both) : -1;
        Py_XDECREF(both);
        if (is_there < 0)
            return NULL;
        PyObject *absent = around->third ? around->third : given > 1 ? args[1] : NULL;
        if (!is_there && absent)
            return Py_NewRef(absent);
    }
    return PyObject_Vectorcall(around->step, args, count, names);
}

/* What the step found before for the document, else what it finds now. */
static PyObject *asked(PyObject *self, PyObject *const *args, size_t count, PyObject *names) {
    Around *around = (Around *)self;
    if (PyVectorcall_NARGS(count) != 1 || names)
        return PyErr_Format(PyExc_TypeError, "a document is asked for, and nothing else");
    PyObject *found = PyObject_GetAttr(args[0], FOUND);
    PyObject *result = found ? PyDict_GetItemWithError(found, around->step) : NULL;
    if (result)
        Py_INCREF(result);
    else if (!PyErr_Occurred() && (result = PyObject_CallOneArg(around->step, args[0])) &&
             PyDict_SetItem(found, around->step, result))
        Py_CLEAR(result);
    Py_XDECREF(found);
    return result;
}

static int traverse(Around *self, visitproc visit, void *arg) {
    Py_VISIT(self->step);
    Py_VISIT(self->other);
    Py_VISIT(self->third);
    Py_VISIT(self->dict);
    return 0;
}

static int clear(Around *self) {
    Py_CLEAR(self->step);
    Py_CLEAR(self->other);
    Py_CLEAR(self->third);
    Py_CLEAR(self->dict);
    return 0;
}

static void freed(Around *self) {
    PyObject_GC_UnTrack(self);
    clear(self);
    PyObject_GC_Del(self);
}

static PyObject *bound(PyObject *self, PyObject *instance, PyObject *owner) {
    return instance && instance != Py_None ? PyMethod_New(self, instance) : Py_NewRef(self);
}

static PyMemberDef MEMBERS[] = {{"step", T_OBJECT_EX, offsetof(Around, step), 0, "What is called."},
                                {"other", T_OBJECT, offsetof(Around, other), READONLY, "A loop's definition."},
                                {NULL}};
static PyGetSetDef GETTERS[] = {{"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, NULL, NULL}, {NULL}};

static PyTypeObject AROUND = {
    PyVarObject_HEAD_INIT(NULL, 0).tp_name = "winnow.document._calls.Around",
    .tp_doc = "A step with what stands around it.",
    .tp_basicsize = sizeof(Around),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC | Py_TPFLAGS_HAVE_VECTORCALL | Py_TPFLAGS_METHOD_DESCRIPTOR,
    .tp_vectorcall_offset = offsetof(Around, call),
    .tp_call = PyVectorcall_Call,
    .tp_dictoffset = offsetof(Around, dict),
    .tp_members = MEMBERS,
    .tp_getset = GETTERS,
    .tp_descr_get = bound,
    .tp_traverse = (traverseproc)traverse,
    .tp_clear = (inquiry)clear,
    .tp_dealloc = (destructor)freed,
};

static PyObject *around(vectorcallfunc call, PyObject *args, int most) {
    PyObject *step, *other = NULL, *third = NULL;
    if (!PyArg_UnpackTuple(args, "around", 1, most, &step, &other, &third))
        return NULL;
    Around *made = PyObject_GC_New(Around, &AROUND);
    if (!made)
        return NULL;
    made->call = call;
    made->dict = NULL;
    made->step = Py_NewRef(step);
    made->other = Py_XNewRef(other);
    made->third = Py_XNewRef(third);
    PyObject_GC_Track(made);
    return (PyObject *)made;
}

static PyObject *loop(PyObject *module, PyObject *args) { return around(either, args, 3); }
static PyObject *needs(PyObject *module, PyObject *args) { return around(gated, args, 3); }
static PyObject *once(PyObject *module, PyObject *args) { return around(asked, args, 1); }

static PyMethodDef METHODS[] = {
    {"loop", loop, METH_VARARGS, "loop(compiled, definition, report) -> callable; see document/compiled.py."},
    {"needs", needs, METH_VARARGS, "needs(step, bits[, absent]) -> callable; see document/parsing/signature.py."},
    {"once", once, METH_VARARGS, "once(step) -> callable; see document/document.py."},
    {NULL, NULL, 0, NULL}};
static struct PyModuleDef MODULE = {
    .m_base = PyModuleDef_HEAD_INIT, .m_name = "_calls", .m_doc = "Steps with what stands around them.",
    .m_methods = METHODS};

PyMODINIT_FUNC PyInit__calls(void) {
    SIGNATURE = PyUnicode_InternFromString("signature");
    FOUND = PyUnicode_InternFromString("found");
    if (!SIGNATURE || !FOUND || PyType_Ready(&AROUND) < 0)
        return NULL;
    return PyModule_Create(&MODULE);
}
