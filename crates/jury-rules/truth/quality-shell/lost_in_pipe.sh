#!/bin/bash
errors=0
grep -l TODO src/* | while read -r path; do
  errors=$((errors + 1))
done
echo "$errors files"

notes=0
while read -r path; do
  notes=$((notes + 1))
done < <(grep -l NOTE src/*)
echo "$notes files"
