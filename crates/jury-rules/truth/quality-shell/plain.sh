#!/bin/sh
if [[ "$1" = start ]]; then
  run
fi
if [ "$1" = stop ]; then
  halt
fi
hosts=(alpha beta)
hosts="alpha beta"
first=${hosts%% *}
third=${name:2:1}
