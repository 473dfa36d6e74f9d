import { createWriteStream } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { exportDataset } from '@vitrine/client'
import { stateName } from '@vitrine/contract'
import { defineCommand, CommandError, UsageError } from '../command/command.ts'
import { untilInterrupted } from '../command/interruption.ts'
import { readNamedState, requireStates } from '../datasets/named-state.ts'
import { openClient } from '../sign-in/open-client.ts'
import { serverOptions } from '../sign-in/runtime-config.ts'
import { showTransfer } from '../command/progress.ts'
import { importBundleFile } from './import-bundle-file.ts'
import { openZipArchive } from './zip-archive.ts'

export const push = defineCommand({
  usage:
    '<dataset>[@<items>] --to <server> [--as <old>=<new> …] [--prefix <text>]\n' +
    '                      [--server <server>] [--json]',
  summary: 'Make a dataset, and all that it refers to, on another server',
  details:
    'It exports a bundle (docs/bundles.md), verifies it by the key of the server that it comes from, and imports\n' +
    'it as `vitrine import` does. Sign in to both servers first (`vitrine login --server <server>`). With tokens,\n' +
    'VITRINE_TOKEN is for the one that it comes from, VITRINE_TO_TOKEN for the other.',
  examples: [
    ['push cats --to https://other.example', 'cats, with what it refers to'],
    ['push cats@1200 --to https://other.example --prefix their-', 'a state of it, by other names'],
  ],
  positionals: 1,
  options: {
    ...serverOptions,
    to: { type: 'string' },
    as: { type: 'string', multiple: true },
    prefix: { type: 'string' },
    json: { type: 'boolean' },
  },
  run: async (invocation) => {
    const { positionals, values, io } = invocation
    const { to } = values
    if (to === undefined) throw new UsageError('Missing --to.')
    const state = readNamedState(positionals[0])
    const { datasetId, at } = state
    const source = await openClient(invocation)
    requireStates(source, state)
    const { client, features } = source
    if (!features.includes('bundles')) {
      throw new CommandError(`${client.options.baseUrl} writes no bundles.`)
    }
    const env = { ...io.env, VITRINE_TOKEN: io.env['VITRINE_TO_TOKEN'] }
    const target = await openClient({ ...invocation, values: { server: to }, io: { ...io, env } })
    if (!target.features.includes('import')) {
      throw new CommandError(`${target.client.options.baseUrl} does not take imports.`)
    }
    const name = stateName({ name: datasetId, ...(at !== undefined && { at }) })
    const folder = await mkdtemp(join(tmpdir(), 'vitrine-push-'))
    try {
      const path = join(folder, 'bundle.zip')
      const key = await untilInterrupted(io, 'Nothing was made.', async (signal) => {
        const progress = showTransfer(io, name)
        const bytes = exportDataset(client, datasetId, {
          format: 'bundle',
          at,
          signal,
          onProgress: (done) => progress.update(done.bytes),
        })
        await pipeline(bytes, createWriteStream(path)).finally(() => progress.stop())
        return (await (await client.logKey({}, { signal })).text()).trim()
      })
      const archive = await openZipArchive(path)
      try {
        await importBundleFile(
          target.client,
          { file: name, archive },
          {
            io,
            key,
            features: target.features,
            as: values.as ?? [],
            prefix: values.prefix ?? '',
            json: values.json ?? false,
          },
        )
      } finally {
        archive.close()
      }
    } finally {
      await rm(folder, { recursive: true, force: true })
    }
  },
})
