import { createHash } from 'node:crypto'
import { extname } from 'node:path'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { ApiError, openReply, type Client } from '@vitrine/client'
import { stateName, type Snapshot } from '@vitrine/contract'
import { defineCommand, CommandError } from '../command/command.ts'
import { counted } from '../command/table.ts'
import { untilInterrupted } from '../command/interruption.ts'
import { readNamedState } from '../datasets/named-state.ts'
import { openClient } from '../sign-in/open-client.ts'
import { serverOptions } from '../sign-in/runtime-config.ts'
import { showTransfer } from '../command/progress.ts'
import { writeWhole } from '../command/files.ts'

export const snapshot = defineCommand({
  usage: '<dataset>[@<items>] [--output <file>] [--json]',
  summary: 'Show or download a dataset at a state as a Parquet file that stays what it is',
  details:
    'The server makes it when it is first asked for, and keeps it: programs read of it what they need\n' +
    '(docs/snapshots.md). Without @<items> it is of now, and the address that is shown says of how many.\n' +
    'A large one is in parts: --output cats.parquet then writes cats-0.parquet, cats-1.parquet and so on.\n' +
    'What is downloaded is compared with the sha256 that the server says.',
  examples: [
    ['snapshot cats', 'its address, for pandas, DuckDB or Polars'],
    [
      'snapshot cats@1200 -o cats.parquet',
      'the file of the items that it had when they were 1,200',
    ],
    [
      'snapshot cats --json | jq -r .parts[].url',
      'the addresses of its files, for another program',
    ],
  ],
  positionals: 1,
  options: {
    ...serverOptions,
    output: { type: 'string', short: 'o' },
    json: { type: 'boolean' },
  },
  run: async (invocation) => {
    const { io, values } = invocation
    const state = readNamedState(invocation.positionals[0])
    const { output } = values
    const { client, features } = await openClient(invocation)
    if (!features.includes('snapshots')) {
      throw new CommandError(`${client.options.baseUrl} makes no snapshots: export the dataset.`)
    }
    const name = state.datasetId
    await untilInterrupted(io, 'The server goes on making the snapshot.', async (signal) => {
      const snapshot = await whenMade(client, stateName({ ...state, name }), signal)
      const files = output === undefined ? [] : filesOf(output, snapshot)
      const progress = showTransfer(io, name)
      try {
        let before = 0
        for (const [part, file] of files.entries()) {
          const input = { datasetId: stateName({ name, at: snapshot.at }), part }
          const { body } = await openReply(client, 'datasetSnapshotPart', input, { signal })
          const bytes = Readable.fromWeb(body as ReadableStream)
          await writeWhole(
            checked(bytes, snapshot.parts[part]!, (done) =>
              progress.update(before + done, snapshot.bytes),
            ),
            file,
          )
          before += snapshot.parts[part]!.bytes
        }
      } finally {
        progress.stop()
      }
      if (values.json) {
        io.console.log(JSON.stringify({ ...snapshot, ...(output !== undefined && { files }) }))
        return
      }
      const size = `${counted(snapshot.rows, 'row')}, ${counted(snapshot.bytes, 'byte')}`
      io.console.log(`${stateName({ name, at: snapshot.at })}: ${size}.`)
      for (const file of files) io.console.log(`Wrote ${file}.`)
      if (output !== undefined) return
      for (const { url, sha256 } of snapshot.parts) io.console.log(`${url}\tsha256 ${sha256}`)
    })
  },
})

/** The snapshot of a state, however long it takes to be made. */
async function whenMade(client: Client, datasetId: string, signal: AbortSignal): Promise<Snapshot> {
  for (;;) {
    try {
      return await client.datasetSnapshot({ datasetId }, { signal })
    } catch (error) {
      // The server has waited for it, and goes on making it.
      if (!(error instanceof ApiError && error.code === 'SNAPSHOT_NOT_READY')) throw error
    }
  }
}

function filesOf(output: string, { parts }: Snapshot): string[] {
  if (parts.length === 1) return [output]
  const extension = extname(output)
  const stem = output.slice(0, output.length - extension.length)
  return parts.map((_, part) => `${stem}-${part}${extension}`)
}

/** @throws CommandError at the end of bytes that are not those of the digest */
async function* checked(
  bytes: AsyncIterable<Uint8Array>,
  { sha256, url }: { sha256: string; url: string },
  update: (done: number) => void,
): AsyncGenerator<Uint8Array> {
  const hash = createHash('sha256')
  let done = 0
  for await (const piece of bytes) {
    hash.update(piece)
    done += piece.length
    update(done)
    yield piece
  }
  if (hash.digest('hex') !== sha256) throw new CommandError(`${url} is not what its digest says.`)
}
