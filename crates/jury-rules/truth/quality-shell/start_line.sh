#!/usr/bin/env bash -u
run
