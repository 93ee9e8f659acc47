#!/usr/bin/env bash
# Runs a command that downloads something, three times if need be: registries and mirrors fail now and then.
set -uo pipefail
for pause_secs in 5 20 ''; do
  "$@" && exit 0
  status=$?
  [ -n "$pause_secs" ] || break
  echo "failed with status $status, trying again in $pause_secs s: $*" >&2
  sleep "$pause_secs"
done
echo "failed three times: $*" >&2
echo "Its error is above. If a download failed, check the network and the package registry, then run make again." >&2
exit "$status"
