#!/bin/bash
tr kitten puppy < tale.txt
sed s/kitten/puppy/g < tale.txt
grep "*warning*" build.log
grep "warning" build.log
expr "$width" * 4
expr "$width" \* 4
trap 'cleanup' EXIT SIGKILL
trap 'cleanup' EXIT SIGINT
cp "$source_file"
cp "$source_file" "$target"
unset cache[3]
unset 'cache[3]'
kill < pids.txt
cat < pids.txt
