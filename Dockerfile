# Two stages with the Makefile's own steps: the second has no compiler and runs as an ordinary user.
# BASE has Python 3.11 with its headers; its digest is what the tag was (docs/operations.md, *Packages and the image*).
# `make image-test` builds and runs this.
ARG BASE=python:3.11-slim-bookworm@sha256:0a310eeecf4e1f5a0743f9a6520c90c88d089c903ca5fd283f501e3a805f5f89

FROM ${BASE} AS build
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev make
WORKDIR /app
COPY . .
RUN make slim sbom

FROM ${BASE} AS winnow
# /data is where compose.yaml keeps what must last; a volume there gets this owner.
RUN useradd --no-log-init --uid 10001 --create-home winnow && install --directory --owner winnow --mode 700 /data /data/ca
WORKDIR /app
COPY --from=build /app/.venv /app/.venv
# What is in it, by requirements.lock (CycloneDX), and where it is from (`--build-arg REVISION=$(git rev-parse HEAD)`).
COPY --from=build /app/winnow.cdx.json /app/winnow.cdx.json
ARG BASE
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Winnow" \
      org.opencontainers.image.description="A content-extraction proxy: read the web without its chaff." \
      org.opencontainers.image.licenses="Apache-2.0" \
      org.opencontainers.image.version="0.2.0" \
      org.opencontainers.image.revision="${REVISION}" \
      org.opencontainers.image.base.name="${BASE}"
# By its number, so that who runs it can see that it is not root (Kubernetes' runAsNonRoot).
USER 10001
# Within a container 127.0.0.1 is the container alone; publish the port to 127.0.0.1 outside.
ENV WINNOW_SERVER__HOST=0.0.0.0
# Requests to a port published on 127.0.0.1 come from the gateway of Docker's own bridge; other containers have other addresses.
ENV WINNOW_ACCESS__OPEN_TO=127.0.0.0/8,::1/128,172.17.0.1
# All that is ever written; the rest may be read-only (docker run --read-only --tmpfs /tmp).
ENV WINNOW_STORAGE__FOLDER=/data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD [".venv/bin/winnow", "health"]
ENTRYPOINT [".venv/bin/winnow"]
CMD ["serve"]

# `docker build --target rendering .`: with the browser that runs scripts (docs/rendering.md), some 550 MB more. It needs a
# seccomp profile that lets its sandbox start: deploy/rendering_seccomp.py makes one of your engine's own.
FROM winnow AS rendering
USER 0
RUN apt-get update && apt-get install --yes --no-install-recommends chromium-headless-shell && apt-get clean && rm -rf /var/lib/apt/lists/*
USER 10001

# The image that is built where no target is named: without it.
FROM winnow
