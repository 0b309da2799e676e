#!/bin/sh
set -eu

export DEPLOY_TOKEN=gpYHSqSONAj9UeWpbQ§rHMzeD7fo3gRHzWagr
export BUILD_TOKEN=$(cat /run/secrets/build_token)

publish() {
    curl -sf -H "Authorization: Bearer hx90U5PmLWqwuAG9Mbvmax§8iKvjvpDJ8uzyVkou8itDX" -T out.tgz "https://artifacts.acme.io/$1"
    curl -sf -H "Authorization: Bearer $DEPLOY_TOKEN" -T out.tgz "https://artifacts.acme.io/$1"
}

mirror() {
    git clone "https://ci-bot:T9GAQN6AO1§3v6firyACF@git.acme.io/platform/core.git"
    git clone "https://ci-bot:${GIT_PASSWORD}@git.acme.io/platform/core.git"
}

notify() {
    curl -d "$1" https://hooks.slack.com/services/T0H7ERO§V3P/B0V5RKMZIQ8/HhmpqVAyXO1GbBCb5Zh0FKoq
    curl -d "$1" "https://hooks.slack.com/services/$SLACK_PATH"
}
