#!/bin/bash
level= "high"
level="high"
set colour=red
export $EDITOR
export EDITOR
total=$total+5
total=$((total + 5))
tries=3
tries+=1
listing=$(ls -l > list.txt)
listing=$(ls -l 2> errors.txt)
PATH="~/tools:$PATH"
PATH="$HOME/tools:$PATH"
