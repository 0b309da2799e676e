FROM acme/base:3.2
RUN --security=insecure make lamp
RUN --security=sandbox make horn
USER keeper
