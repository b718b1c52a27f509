#!/bin/sh
# Puts what the App needs to run into a folder: the committed bundle, its licences, its manifest.
#   sh scripts/container/build.sh FOLDER
set -eu
to=${1:?'usage: build.sh FOLDER'}
from=$(CDPATH='' cd -- "$(dirname -- "$0")/../.." && pwd)
if [ ! -f "$from/dist/app.mjs" ]; then
  echo 'dist/app.mjs is missing. Make it with: npm run build' >&2
  exit 1
fi
mkdir -p "$to"
cp -R "$from/dist" "$to/dist"
cp "$from/app.yml" "$from/package.json" "$to/"
cp "$from/scripts/container/prepare.sh" "$from/scripts/container/healthcheck.mjs" "$to/"
