import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { build } from './build.mjs'
import { root } from './root.mjs'

// Keeps what was compiled, and stripped of types, for the next start. Not in the system's folder for
// temporary files, where others might put code of theirs.
const compiled = join(root, '.cache', 'compiled')
enableCompileCache(compiled)
// Threads look for it here.
process.env.NODE_COMPILE_CACHE = compiled
// The channel closes when the process that started this one is gone, even when that was killed.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'))
// It must not keep this process alive once the server has stopped.
process.channel?.unref()
build()
await import('../packages/server/dist/main.js')
