#!/bin/bash
servers=(north south)
ping_all $servers
ping_all "${servers[@]}"
ports=(80, 443)
other=(80 443)
deploy "prefix-$@"
deploy "prefix" "$@"
ssh north <<END
restart $service
END
ssh north <<'END'
restart $service
END
