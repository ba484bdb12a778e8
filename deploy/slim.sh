#!/bin/sh
# slim.sh ENVIRONMENT: leave in a Python environment what a server needs to run; `make slim` calls it.
# Modules are compiled, and their sources go: a traceback then has line numbers without lines.
# What else goes is imported by nothing that Winnow imports; `make image-test` runs what is left.
set -eu
environment=$1
here=$(cd "$(dirname "$0")" && pwd)
site=$(echo "$environment"/lib/python3.*/site-packages)
"$environment/bin/python" -m pip uninstall -qq --yes setuptools pip
cd "$site"
find . -depth -type d \( -name tests -o -name include -o -name __pycache__ \) -exec rm -r {} +
find . -type f \( -name '*.[ach]' -o -name '*.cpp' -o -name '*.hpp' -o -name '*.p[xy][dix]' \) -exec rm {} +
find . -path "*.dist-info/RECORD" -exec rm {} +
rm -rf cffi pycparser numpy/testing numpy/f2py numpy/fft numpy/polynomial numpy/distutils numpy/_core/_simd.* numpy/_core/*_tests.* \
    lxml/objectify* lxml/isoschematron lxml/sax.* lxml/html/*diff* rapidfuzz/fuzz_cpp* rapidfuzz/process_cpp* \
    PIL/_imagingft* PIL/_imagingcms* PIL/_imagingtk* pillow.libs/liblcms2* rapidfuzz/utils_cpp* pillow.libs/libfreetype* pillow.libs/libharfbuzz* pillow.libs/libpng16*
# Not what auditwheel has patched: strip moves its segments, and it no longer loads.
find . -type f -name '*.so*' ! -path './numpy*' ! -path './PIL/*' ! -path './pillow.libs/*' -exec strip --strip-unneeded {} +
"$environment/bin/python" -B "$here/slim_locales.py" babel/locale-data
"$environment/bin/python" -m compileall -q -b .
find . -type f -name '*.py' -exec rm {} +
# What is left must load, or the build fails.
"$environment/bin/python" -P -c 'import numpy.linalg, PIL.Image, PIL._avif, lxml.html, winnow.engine.worker, winnow.compose.running'
"$environment/bin/python" -P -m winnow.engine.worker --extractor=auto </dev/null >/dev/null
