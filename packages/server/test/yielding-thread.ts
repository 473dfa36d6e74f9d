import { getPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { yieldProcessor } from '../src/runtime/yield-processor.ts'

yieldProcessor()
const port = parentPort!
port.postMessage(getPriority())
