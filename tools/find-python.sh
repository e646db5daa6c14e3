#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Prints the interpreter that Python parts are built for and tested with: $PYTHON, or the first that
# has headers and can make virtual environments. The system's comes first, because a python3 earlier
# on the path may be a stub.
set -euo pipefail

for candidate in "${PYTHON:-}" /usr/bin/python3 "$(command -v python3 || true)"; do
  [ -n "$candidate" ] || continue
  if "$candidate" - 2>/dev/null <<'END'
import ensurepip, os, sys, sysconfig, venv
sys.exit(not os.path.exists(os.path.join(sysconfig.get_paths()["include"], "Python.h")))
END
  then
    echo "$candidate"
    exit 0
  fi
done
echo "find-python: no python3 with headers and venv; tools/install-packages.sh python installs one" >&2
exit 1
