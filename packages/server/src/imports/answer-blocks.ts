import { parentPort } from 'node:worker_threads'
import { UnreadableFile } from '@vitrine/rows/row-batch'
import { freeBytes, freeStart } from '../runtime/gc.ts'
import type { BlockMessage, BlockQuestion, BlockReply, BlockTask } from './block-task.ts'
import { checkBlock, prepareBlocks, type BlockConfig } from './rows/check-block.ts'
import type { RowRange } from './rows/block.ts'

// What a thread does that checks blocks (`check-worker.ts`): it parses, checks and hashes their rows.

freeStart()
const port = parentPort!
let config: BlockConfig
let prepared: ReturnType<typeof prepareBlocks> | undefined
let reply: ((reply: BlockReply) => void) | undefined
let lastAnswered: Promise<unknown> = Promise.resolve()

const tell = (message: BlockMessage, transfer: ArrayBuffer[] = []) =>
  port.postMessage(message, transfer)

/**
 * Asks the thread that knows what is kept, one thing after the other: of a Parquet file several columns
 * are read at once.
 */
function ask(question: BlockQuestion, transfer: ArrayBuffer[] = []): Promise<BlockReply> {
  const answered = lastAnswered.then(() => {
    const { promise, resolve } = Promise.withResolvers<BlockReply>()
    reply = resolve
    tell(question, transfer)
    return promise
  })
  lastAnswered = answered
  return answered
}

async function read(start: number, end: number): Promise<ArrayBuffer> {
  const replied = await ask({ kind: 'read', start, end })
  return (replied as Extract<BlockReply, { kind: 'bytes' }>).bytes
}

port.on('message', (message: BlockTask | BlockReply) => {
  if (message.kind === 'block') void answer(() => check(message.content))
  else if (message.kind === 'describe') void answer(() => describe(message.fileBytes))
  else if (message.kind === 'config') {
    config = message.config
    prepared = undefined
  } else reply?.(message)
})

async function answer(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    tell({ kind: 'failed', message: error instanceof Error ? (error.stack ?? '') : String(error) })
  }
}

async function check(content: Uint8Array | RowRange): Promise<void> {
  prepared ??= prepareBlocks(config, read)
  const block = await checkBlock(await prepared, content, async (needs) => {
    const transfer = [...needs.bytes.values()].map(({ buffer }) => buffer)
    const replied = await ask({ kind: 'needs', needs }, transfer)
    return (replied as Extract<BlockReply, { kind: 'resolved' }>).resolution
  })
  if (content instanceof Uint8Array) freeBytes(content)
  tell({ kind: 'checked', block }, [block.checked.buffer])
}

async function describe(fileBytes: number): Promise<void> {
  const { ParquetFile } = await import('@vitrine/rows/parquet-file')
  try {
    const { shape } = await ParquetFile.open({ byteLength: fileBytes, slice: read })
    tell({ kind: 'described', shape })
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    tell({ kind: 'unreadable', reason: error.reason })
  }
}
