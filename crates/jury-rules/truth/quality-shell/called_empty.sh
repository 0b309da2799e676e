#!/bin/bash
announce() {
  echo "now: $1"
}
record() {
  echo "then: $1"
}
announce
record "started"
