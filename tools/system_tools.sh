#!/usr/bin/env bash
# Makes sure that commands exist which pip cannot install: each argument is command:Debian-package,another-package.
# Installs what is missing where apt-get is there and permitted, and says what to do elsewhere.
set -euo pipefail

missing=()
for pair in "$@"; do
  command=${pair%%:*} package=${pair##*:}
  # A browser may be named instead of installed.
  if [ "$command" = chromium ] && [ -n "${SEAMARK_CHROMIUM:-}" ]; then continue; fi
  command -v "$command" > /dev/null && continue
  IFS=, read -ra packages <<< "$package"
  missing+=("${packages[@]}")
done
[ ${#missing[@]} -gt 0 ] || exit 0

if command -v apt-get > /dev/null; then
  if [ "$(id -u)" = 0 ]; then root=(); elif sudo -n true 2> /dev/null; then root=(sudo -n); else root=(none); fi
  if [ "${root[0]:-}" != none ]; then
    echo "installing ${missing[*]} with apt-get"
    "${root[@]}" apt-get update -qq
    "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
    exit 0
  fi
fi
echo "missing on this machine: ${missing[*]}. Install them (Debian: sudo apt-get install ${missing[*]}), then try again." >&2
echo "A browser that has another name is given with SEAMARK_CHROMIUM=/path/to/it." >&2
exit 1
