#!/usr/bin/env bash
set -u
run
