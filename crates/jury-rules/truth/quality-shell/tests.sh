#!/bin/bash
if [ -n "ready" ]; then go; fi
if [ -n "$ready" ]; then go; fi
if [ colour = red ]; then go; fi
if [ "$colour" = red ]; then go; fi
if [ "$colour" != red ] || [ "$colour" != blue ]; then go; fi
if [ "$colour" != red ] && [ "$colour" != blue ]; then go; fi
if [ "$a" = 1 && "$b" = 2 ]; then go; fi
if [ "$a" = 1 ] && [ "$b" = 2 ]; then go; fi
if [[ $path =~ *.log ]]; then go; fi
if [[ $path == *.log ]]; then go; fi
