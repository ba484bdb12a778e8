# Two stages with the Makefile's own steps: the second has no compiler and runs as an ordinary user.
FROM python:3.11-slim-bookworm AS build
RUN apt-get update && apt-get install --yes --no-install-recommends gcc libc6-dev make
WORKDIR /app
COPY . .
RUN make install && .venv/bin/python -m compileall -q chromium config document engine evaluation extractors jobs proxy winnow

FROM python:3.11-slim-bookworm
# /data is where compose.yaml keeps what must last; a volume there gets this owner.
RUN useradd --system --uid 10001 --create-home winnow && install --directory --owner winnow --mode 700 /data /data/ca
WORKDIR /app
COPY --from=build /app /app
# By its number, so that who runs it can see that it is not root (Kubernetes' runAsNonRoot).
USER 10001
# Within a container 127.0.0.1 is the container alone; publish the port to 127.0.0.1 outside.
ENV WINNOW_SERVER__HOST=0.0.0.0
# Docker's own bridge is where requests to a port published on 127.0.0.1 come from.
ENV WINNOW_ACCESS__OPEN_TO=127.0.0.0/8,::1/128,172.16.0.0/12
# All that is ever written; the rest may be read-only (docker run --read-only --tmpfs /tmp).
ENV WINNOW_STORAGE__FOLDER=/data
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s CMD [".venv/bin/winnow", "health"]
ENTRYPOINT [".venv/bin/winnow"]
CMD ["serve"]
