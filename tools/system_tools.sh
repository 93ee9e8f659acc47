#!/usr/bin/env bash
# Makes sure that commands exist which pip cannot install: each argument is command:Debian-package,another-package.
# command/another means that the other one will do where the first cannot be installed.
# Installs what is missing where apt-get is there and permitted, and says what to do elsewhere.
set -euo pipefail

# Packages of commands that are missing, and of commands that another one can stand in for.
missing=() better=()
for pair in "$@"; do
  commands=${pair%%:*} package=${pair##*:}
  # A browser may be named instead of installed.
  if [[ $commands = chromium* ]] && [ -n "${SEAMARK_CHROMIUM:-}" ]; then continue; fi
  IFS=, read -ra packages <<< "$package"
  command -v "${commands%%/*}" > /dev/null && continue
  if [[ $commands = */* ]] && command -v "${commands##*/}" > /dev/null; then
    better+=("${packages[@]}")
  else
    missing+=("${packages[@]}")
  fi
done
wanted=(${missing[@]+"${missing[@]}"} ${better[@]+"${better[@]}"})
[ ${#wanted[@]} -gt 0 ] || exit 0

install() {
  echo "installing $* with apt-get"
  "${root[@]}" apt-get update -qq
  "${root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "$@"
}

if command -v apt-get > /dev/null; then
  if [ "$(id -u)" = 0 ]; then root=(env); elif sudo -n true 2> /dev/null; then root=(sudo -n); else root=(); fi
  if [ ${#root[@]} -gt 0 ] && install "${wanted[@]}"; then exit 0; fi
fi
[ ${#missing[@]} -gt 0 ] || exit 0
echo "missing on this machine: ${missing[*]}. Install them (Debian: sudo apt-get install ${missing[*]}), then try again." >&2
echo "A browser that has another name is given with SEAMARK_CHROMIUM=/path/to/it." >&2
exit 1
