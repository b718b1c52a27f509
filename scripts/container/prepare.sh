#!/bin/sh
# Makes the folder of the store for the user that the App runs as; nothing else in the image may be written to by it.
#   sh prepare.sh [FOLDER [USER]]
set -eu
data=${1:-/data}
user=${2:-10001:10001}
mkdir -p "$data"
chown "$user" "$data"
chmod 700 "$data"
