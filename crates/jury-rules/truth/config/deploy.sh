#!/usr/bin/env bash
set -euo pipefail

release="${1:-latest}"

fetch_tool() {
  curl -fsSL "https://tools.example.com/$release/install.sh" | bash
}

fetch_tool_safe() {
  curl -fsSLo install.sh "https://tools.example.com/$release/install.sh"
  sha256sum --check install.sum
  bash install.sh
}

probe() {
  wget -q --no-check-certificate "https://status.internal/$1" -O status.json
}

probe_safe() {
  wget -q "https://status.internal/$1" -O status.json
}

push() {
  scp -o StrictHostKeyChecking=no build.tgz "deploy@$1:"
}

push_safe() {
  scp -o StrictHostKeyChecking=accept-new build.tgz "deploy@$1:"
}

hook() {
  local command="$*"
  eval "$command"
}

hook_safe() {
  "$@"
}

as_user() {
  su -c id "$1"
  sh -c "systemctl restart $1"
}

as_user_safe() {
  systemctl restart "$1"
}

open_up() {
  chmod -R 777 /srv/www
}

open_up_safe() {
  chmod -R u=rwX,g=rX /srv/www
}

clean() {
  rm -rf "$BUILD_DIR"/*
}

clean_safe() {
  rm -rf "${BUILD_DIR:?}"/*
}

note() {
  date > /tmp/deploy.stamp
}

note_safe() {
  date > "$(mktemp)"
}
