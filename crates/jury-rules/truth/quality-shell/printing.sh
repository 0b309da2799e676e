#!/bin/bash
printf '%s: %s\n' "$host"
printf '%s: %s\n' "$host" "$port"
printf 'ready\n' "$host"
printf 'ready\n'
echo "first\nsecond"
echo -e "first\nsecond"
