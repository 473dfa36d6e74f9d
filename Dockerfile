# Vitrine in one image: the server, the built web app, and the command line.

FROM node:24.21.0-bookworm-slim@sha256:0e0ff40c39bc087845bfb27465a0df4ea419520094bc35842ff83dd8cbe6f9b6 AS base

FROM base AS sources
WORKDIR /vitrine
COPY package.json package-lock.json .npmrc ./
COPY packages/contract/package.json packages/contract/
COPY packages/rows/package.json packages/rows/
COPY packages/sha256-lanes/package.json packages/sha256-lanes/
COPY packages/transparency-log/package.json packages/transparency-log/
COPY packages/client/package.json packages/client/
COPY packages/server/package.json packages/server/
COPY packages/cli/package.json packages/cli/
COPY packages/web/package.json packages/web/

# With optional dependencies: the bundlers are some of them.
FROM sources AS built
RUN npm ci --ignore-scripts
COPY tsconfig.base.json ./
COPY packages packages
RUN npm run build

# With those of the server, by which it makes small pictures; Node is one of the workspace, and stays out.
FROM sources AS dependencies
RUN npm ci --ignore-scripts --omit=dev \
  --workspace @vitrine/server --workspace @vitrine/cli

FROM base
WORKDIR /vitrine
ENV NODE_ENV=production \
  VITRINE_HOST=0.0.0.0 \
  VITRINE_PORT=8080 \
  VITRINE_DATA_DIR=/data
COPY --from=dependencies /vitrine/package.json ./
COPY --from=dependencies /vitrine/node_modules node_modules
COPY packages/contract packages/contract
COPY packages/rows packages/rows
COPY packages/sha256-lanes packages/sha256-lanes
COPY packages/transparency-log packages/transparency-log
COPY packages/client packages/client
COPY packages/server packages/server
COPY packages/cli packages/cli
COPY --from=built /vitrine/packages/server/dist packages/server/dist
COPY --from=built /vitrine/packages/web/dist packages/web/dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
# By bash alone: a Node each time takes a second of a processor and 40 MB.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s CMD \
  ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/$VITRINE_PORT && printf 'GET /healthz HTTP/1.0\\r\\n\\r\\n' >&3 && read -r _ status _ <&3 && [ \"$status\" = 200 ]"]
ENV MALLOC_ARENA_MAX=2
ENV MALLOC_MMAP_THRESHOLD_=65536
CMD ["node", "--max-semi-space-size=4", "--no-parallel-scavenge", "--heap-growing-percent=70", "packages/server/dist/main.js"]
