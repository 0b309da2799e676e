#!/bin/bash
# What the keeper runs at night.

order() {
  sort ships.txt > ships.txt
}

order_safe() {
  sort ships.txt > ships.new && mv ships.new ships.txt
}

sweep() {
  find /srv/logs -name *.old -delete
}

sweep_safe() {
  find /srv/logs -name '*.old' -delete
}
