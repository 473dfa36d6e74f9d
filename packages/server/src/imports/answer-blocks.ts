// Runs in a checking thread.

import { UnreadableFile } from '@vitrine/rows/row-batch'
import { freeBytes, freeStart } from '../runtime/gc.ts'
import { serveSessions, type Ask } from '../runtime/serve-sessions.ts'
import type { BlockAnswer, BlockQuestion, BlockReply, BlockTask } from './check-pool.ts'
import { checkBlock, prepareBlocks, type BlockConfig } from './rows/check-block.ts'
import type { RowRange } from './rows/raw-row.ts'

// The work of a thread that checks blocks (`check-worker.ts`): it parses, checks and hashes their rows.

freeStart()
serveSessions(
  (ask: Ask<BlockQuestion, BlockAnswer>) => {
    const read = readInTurn(ask)
    let config: BlockConfig
    let checks: ReturnType<typeof prepareBlocks> | undefined
    return async (task: BlockTask): Promise<BlockReply> => {
      if (task.kind === 'describe') return describe(task.fileBytes, read)
      if (task.kind === 'unpack') return unpack(task, { read, ask })
      if (task.kind === 'block') {
        checks ??= prepareBlocks(config, read)
        return check(await checks, task.content, ask)
      }
      config = task.config
      return { kind: 'configured' }
    }
  },
  (reply) => (reply.kind === 'checked' ? [reply.block.checked.buffer] : []),
)

type Read = (start: number, end: number) => Promise<ArrayBuffer>

/** Reads one range after the other: of a Parquet file several columns are wanted at once. */
function readInTurn(ask: Ask<BlockQuestion, BlockAnswer>): Read {
  let last: Promise<unknown> = Promise.resolve()
  return (start, end) => {
    const answer = last.then(() => ask({ kind: 'read', start, end }))
    last = answer
    return answer.then((bytes) => (bytes as Extract<BlockAnswer, { kind: 'bytes' }>).bytes)
  }
}

async function check(
  checks: Awaited<ReturnType<typeof prepareBlocks>>,
  content: Uint8Array | RowRange,
  ask: Ask<BlockQuestion, BlockAnswer>,
): Promise<BlockReply> {
  const block = await checkBlock(checks, content, async (lookups) => {
    const transfer = [...lookups.bytes.values()].map(({ buffer }) => buffer)
    const answer = await ask({ kind: 'lookups', lookups }, transfer)
    return (answer as Extract<BlockAnswer, { kind: 'resolved' }>).results
  })
  if (content instanceof Uint8Array) freeBytes(content)
  return { kind: 'checked', block }
}

async function describe(fileBytes: number, read: Read): Promise<BlockReply> {
  const { ParquetFile } = await import('@vitrine/rows/parquet/parquet-file')
  return orUnreadable(async () => {
    const { shape } = await ParquetFile.open({ byteLength: fileBytes, slice: read })
    return { kind: 'described', shape }
  })
}

async function unpack(
  { fileBytes, options }: Extract<BlockTask, { kind: 'unpack' }>,
  { read, ask }: { read: Read; ask: Ask<BlockQuestion, BlockAnswer> },
): Promise<BlockReply> {
  const { writeSheetLines } = await import('./rows/sheet-row.ts')
  return orUnreadable(async () => {
    const file = { byteLength: fileBytes, slice: read }
    const facts = await writeSheetLines(file, options, async (bytes) => {
      await ask({ kind: 'keep', bytes })
    })
    return { kind: 'unpacked', facts }
  })
}

async function orUnreadable(read: () => Promise<BlockReply>): Promise<BlockReply> {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    return { kind: 'unreadable', reason: error.reason }
  }
}
