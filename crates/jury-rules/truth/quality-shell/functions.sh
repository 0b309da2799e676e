#!/bin/bash
git() {
  git --no-pager "$@"
}
make() {
  command make -j4 "$@"
}
restart() {
  systemctl restart app
}
sudo restart
restart
