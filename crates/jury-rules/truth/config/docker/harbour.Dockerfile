FROM python:3.12.4-slim@sha256:4be65b406f7402b5c4fd5df7173d2fd7ea3fdaa74d9c43b6ebd896197a45c448

RUN pip install --no-cache-dir crane

RUN pip install --no-cache-dir crane==4.1.0

VOLUME /var/run/docker.sock

VOLUME /srv/cargo

EXPOSE 22

EXPOSE 8443

ENV PIP_TRUSTED_HOST=pypi.harbour.io

ENV PIP_INDEX_URL=https://pypi.harbour.io/simple

USER crane
