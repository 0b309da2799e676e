#!/usr/bin/env bash
berths=(north south)
berths+=" west"
berths+=("east")
for berth in "${berths[*]}"; do
  echo "$berth"
done
for berth in "${berths[@]}"; do
  echo "$berth"
done
if [[ $sailing =~ "^F[0-9]+$" ]]; then echo ferry; fi
if [[ $sailing =~ ^F[0-9]+$ ]]; then echo ferry; fi
if [ "$passengers" > 400 ]; then echo full; fi
if [ "$passengers" -gt 400 ]; then echo full; fi
if [[ $harbour != $home_harbour ]]; then echo away; fi
if [[ $harbour != "$home_harbour" ]]; then echo away; fi
moor &>1
moor 2>&1
manifest > cargo.txt > crew.txt
manifest > cargo.txt 2> crew.txt
refuse() {
  exit -3
}
accept() {
  exit 3
}
board() {
  local deck="$1" cabin="${deck}-12"
  echo "$cabin"
}
alight() {
  local deck="$1"
  local cabin="${deck}-12"
  echo "$cabin"
}
tide = high
tide=high
set eu
set -eu
mv * /srv/archive/
mv ./* /srv/archive/
minute=$((09 + 1))
minute=$((10#09 + 1))
case "$1" in
  sail) board ;;
  sail) alight ;;
  *) refuse ;;
esac
cast_off() {
  return 0
  accept
}
if $(pilot --on-board); then board; fi
if pilot --on-board; then board; fi
