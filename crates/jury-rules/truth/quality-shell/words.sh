#!/bin/bash
mkdir "~/archive"
mkdir "$HOME/archive"
report "$12"
report "${12}"
echo "moved to "$place" for now"
echo "moved to $place for now"
if ( -d "$place" ); then
  visit "$place"
fi
if [ -d "$place" ]; then
  visit "$place"
fi
