#!/usr/bin/env bash
set -eu

drop_member() {
  mysql club -e "DELETE FROM members WHERE name = '$1'"
}

drop_old_members() {
  mysql club -e "DELETE FROM members WHERE expires < NOW()"
}

lock_minutes() {
  openssl enc -rc4 -in minutes.txt -out minutes.enc -pass env:MINUTES_KEY
  openssl enc -aes-256-ctr -pbkdf2 -in minutes.txt -out minutes.enc -pass env:MINUTES_KEY
}

keys() {
  ssh-keygen -q -t rsa -b 1024 -f club_key
  ssh-keygen -q -t rsa -b 4096 -f club_key
}

copy_rooms() {
  sshpass -p 'Cl0ckT0wer' scp rooms.csv keeper@archive:
  sshpass -f /run/secrets/keeper scp rooms.csv keeper@archive:
}

agent() {
  eval "$(ssh-agent -s)"
  su keeper -c "tar xf $1"
}

clear_room() {
  rm -rf $1
  rm -rf -- "$1"
}
