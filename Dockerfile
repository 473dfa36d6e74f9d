# Vitrine in one image: the server, the built web app, and the command line.

FROM node:24-bookworm-slim AS sources
WORKDIR /vitrine
COPY package.json package-lock.json .npmrc ./
COPY packages/contract/package.json packages/contract/
COPY packages/rows/package.json packages/rows/
COPY packages/client/package.json packages/client/
COPY packages/server/package.json packages/server/
COPY packages/cli/package.json packages/cli/
COPY packages/web/package.json packages/web/

# With optional dependencies: the bundler is one of them.
FROM sources AS web
RUN npm install --no-save --ignore-scripts
COPY tsconfig.base.json ./
COPY packages packages
RUN npm run build

# Without: the one that the server has is Node, which the image has already.
FROM sources AS dependencies
RUN npm install --no-save --ignore-scripts --omit=dev --omit=optional \
  --workspace @vitrine/server --workspace @vitrine/cli

FROM node:24-bookworm-slim
WORKDIR /vitrine
ENV NODE_ENV=production \
  VITRINE_HOST=0.0.0.0 \
  VITRINE_PORT=8080 \
  VITRINE_DATA_DIR=/data
COPY --from=dependencies /vitrine/package.json ./
COPY --from=dependencies /vitrine/node_modules node_modules
COPY packages/contract packages/contract
COPY packages/rows packages/rows
COPY packages/client packages/client
COPY packages/server packages/server
COPY packages/cli packages/cli
COPY --from=web /vitrine/packages/web/dist packages/web/dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s CMD \
  ["node", "-e", "fetch('http://127.0.0.1:8080/healthz').then(({ok})=>process.exit(ok?0:1),()=>process.exit(1))"]
ENV MALLOC_ARENA_MAX=2
ENV MALLOC_MMAP_THRESHOLD_=524288
CMD ["node", "--max-semi-space-size=4", "--no-parallel-scavenge", "packages/server/src/main.ts"]
