# The App as a container. The build only runs scripts/container/*.sh, which also run, and are tested, without one.
FROM node:24-bookworm-slim AS build
WORKDIR /src
COPY . .
RUN sh scripts/container/build.sh /app

FROM node:24-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 STORE_FILE=/data/countersign.sqlite
COPY --from=build /app /app
RUN sh /app/prepare.sh
WORKDIR /app
USER 10001:10001
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=30s --timeout=5s --start-period=10s CMD ["node", "/app/healthcheck.mjs"]
CMD ["node", "--disable-proto=delete", "/app/dist/app.mjs"]
