// Runs in a checking thread.

import { yieldProcessor } from '../runtime/yield-processor.ts'

// Checks blocks apart from the event loop. It yields before it loads what it needs for that: several threads
// that start together would otherwise keep everybody waiting.

yieldProcessor()
await import('./answer-blocks.ts')
