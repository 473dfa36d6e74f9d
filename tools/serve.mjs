import { buildWeb } from './build-web.mjs'

buildWeb()
await import('../packages/server/src/main.ts')
