#!/bin/bash
finish() {
  return 0
  rm -f "$lock"
}

leave() {
  rm -f "$lock"
  return 0
}

case "$action" in
  build) make ;;
  test) make check ;;
  build) make clean ;;
  *) help ;;
esac

while getopts "qf:" letter; do
  case "$letter" in
    q) quiet=yes ;;
    f) file=$OPTARG ;;
    z) zip=yes ;;
  esac
done
