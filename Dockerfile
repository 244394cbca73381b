# Pitboard by itself, with its PostgreSQL and all data in one volume (docs/operations.md has the line that runs it); and for
# `compose.yaml` and `deploy/kubernetes.yaml`, where database, object storage and sign-in provider run elsewhere and nothing of this container has to be kept.

FROM node:22-bookworm-slim AS build
WORKDIR /pitboard
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN node scripts/build.mjs && npm prune --omit=dev

FROM node:22-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 PITBOARD_DATA=/var/lib/pitboard
WORKDIR /pitboard
COPY --from=build /pitboard/package.json ./
COPY --from=build /pitboard/node_modules ./node_modules
COPY --from=build /pitboard/dist ./dist
COPY --from=build /pitboard/data ./data
COPY --from=build /pitboard/server/kernel/database/migrations ./server/kernel/database/migrations
# A new volume takes over the owner of the folder that it is mounted on. The second one is for backups, where BACKUP_TARGET names it.
RUN mkdir --mode=0700 /var/lib/pitboard /var/backups/pitboard && chown node:node /var/lib/pitboard /var/backups/pitboard
VOLUME /var/lib/pitboard
USER node
EXPOSE 3000
# The image has no curl. A start with a large database to bring up to date takes its time.
HEALTHCHECK --interval=30s --timeout=5s --start-period=120s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/api/health`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# The server itself and neither npm nor a shell, so that SIGTERM reaches it.
CMD ["node", "--enable-source-maps", "dist/server/main.js"]
