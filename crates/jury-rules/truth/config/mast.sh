#!/bin/bash

scrub() {
  pushd "$1"
  rm -rf ./*
  popd
}

scrub_there() {
  pushd "$1" || return
  rm -rf ./*
  popd
}
