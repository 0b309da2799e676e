FROM debian:12.7
RUN curl -fsSL https://press.example.org/type.tar.gz | tar -xz -C /opt
RUN sudo dpkg --configure -a
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
RUN curl -fsSL https://press.example.org/ink.tar.gz | tar -xz -C /opt
RUN dpkg --configure -a
USER press
