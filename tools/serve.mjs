import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { buildWeb } from './build-web.mjs'
import { root } from './root.mjs'

// Keeps what was compiled, and stripped of types, for the next start. Not in the system's folder for
// temporary files, where others might put code of theirs.
const compiled = join(root, '.cache', 'compiled')
enableCompileCache(compiled)
// Threads look for it here.
process.env.NODE_COMPILE_CACHE = compiled
// Whoever started it is gone, however that went (`start.mjs`).
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
buildWeb()
await import('../packages/server/src/main.ts')
