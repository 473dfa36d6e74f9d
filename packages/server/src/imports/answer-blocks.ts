// Runs in a checking thread.

import type { Read } from '@vitrine/contract'
import { UnreadableFile } from '@vitrine/rows/row-batch'
import { freeBytes, freeStart } from '../runtime/gc.ts'
import { serveSessions, type Ask } from '../runtime/serve-sessions.ts'
import type { CheckQuestions, CheckTasks } from './check-pool.ts'
import { checkBlock, prepareBlocks, type BlockConfig } from './rows/check-block.ts'
import { blockText } from './rows/raw-row.ts'

// The work of a thread that checks blocks (`check-worker.ts`): it parses, checks and hashes their rows.

freeStart()
serveSessions<CheckTasks, CheckQuestions>(
  (ask) => {
    const read = readInTurn(ask)
    let config: BlockConfig
    let checks: ReturnType<typeof prepareBlocks> | undefined
    return {
      configure: (next) => {
        config = next
      },
      check: async (content) => {
        checks ??= prepareBlocks(config, read)
        const block = await checkBlock(await checks, content, {
          lookUp: (lookups) => {
            const transfer = [...lookups.bytes.values()].map(({ buffer }) => buffer)
            return ask('lookUp', lookups, transfer)
          },
          match: (keys) => ask('match', keys),
        })
        const text = blockText(content)
        if (text !== undefined && block.rest === undefined) freeBytes(text)
        return block
      },
      describe: ({ fileBytes }) =>
        orUnreadable(async () => {
          const { ParquetFile } = await import('@vitrine/rows/parquet/parquet-file')
          const { shape } = await ParquetFile.open({ byteLength: fileBytes, slice: read })
          return shape
        }),
      unpack: ({ fileBytes, options }) =>
        orUnreadable(async () => {
          const { writeSheetLines } = await import('./rows/sheet-row.ts')
          const file = { byteLength: fileBytes, slice: read }
          return writeSheetLines(file, options, (bytes) => ask('keep', bytes))
        }),
    }
  },
  {
    check: ({ checked, rest }) => {
      const text = rest && blockText(rest)
      return [checked.buffer, ...(text === undefined ? [] : [text.buffer])]
    },
  },
)

/** Reads one range after the other: of a Parquet file several columns are wanted at once. */
function readInTurn(
  ask: Ask<CheckQuestions>,
): (start: number, end: number) => Promise<ArrayBuffer> {
  let last: Promise<unknown> = Promise.resolve()
  return (start, end) => {
    const answer = last.then(() => ask('read', { start, end }))
    last = answer
    return answer
  }
}

async function orUnreadable<Value>(read: () => Promise<Value>): Promise<Read<Value>> {
  try {
    return { ok: true, value: await read() }
  } catch (error) {
    if (!(error instanceof UnreadableFile)) throw error
    return { ok: false, reason: error.reason }
  }
}
