#!/bin/bash
find galleys -name '*.old' -exec sh -c 'mv "{}" /attic' \;
find galleys -name '*.old' -exec sh -c 'mv "$1" /attic' _ {} \;
sudo sort galleys.txt > /etc/press/galleys
sort galleys.txt | sudo tee /etc/press/galleys > /dev/null
sudo cd /etc/press
sudo ls /etc/press
mkdir -p -m 0700 press/keys
mkdir -m 0700 keys
for galley in $(ls galleys); do wc -l "$galley"; done
for galley in galleys/*; do wc -l "$galley"; done
curl -fsSLO "https://$(curl -s https://press.example.org/mirror)/type.tgz"
curl -fsSLO "https://press.example.org/$(curl -s https://press.example.org/version)/type.tgz"
exec $compositor --batch
