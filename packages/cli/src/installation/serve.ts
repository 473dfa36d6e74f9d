import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { platform } from 'node:os'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { nodeFlags, nodeVariables } from '@vitrine/server/node-flags'
import { defineCommand, CommandError } from '../command/command.ts'

const child = fileURLToPath(new URL('./serve-child.ts', import.meta.url))

export const serve = defineCommand({
  usage: '',
  summary: 'Serve the web app and the API; `vitrine` alone does the same',
  details:
    'Keeps database and files in ./data, or in VITRINE_DATA_DIR, and listens on port 8080, or VITRINE_PORT.\n' +
    'The first start prints the account to sign in with. Ctrl-C ends it.',
  examples: [['serve', 'on http://localhost:8080, with the data in ./data']],
  positionals: 0,
  options: {},
  run: async ({ io }) => {
    // A process of its own, as flags and variables hold for a process from its start. It is in no group of
    // this terminal's, so that it gets each signal once, from here.
    const server = spawn(execPath, [...nodeFlags, child], {
      env: { ...nodeVariables, ...io.env },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      detached: platform() !== 'win32',
    })
    const forward = (signal: NodeJS.Signals) => server.kill(signal)
    for (const signal of ['SIGINT', 'SIGTERM'] as const) io.signals.once(signal, forward)
    const [code] = (await once(server, 'exit')) as [number | null]
    if (code !== 0) throw new CommandError('The server has stopped.')
  },
})
