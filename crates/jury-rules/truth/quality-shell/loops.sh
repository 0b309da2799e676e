#!/bin/bash
for disk in 'sda sdb'; do
  check "$disk"
done
for disk in sda sdb; do
  check "$disk"
done
for n in {1..$last}; do
  check "$n"
done
for n in {1..9}; do
  for n in x y; do
    check "$n"
  done
done
for n in $(seq "$last"); do
  for m in x y; do
    check "$n$m"
  done
done
