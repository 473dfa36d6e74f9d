import { text } from 'node:stream/consumers'
import { type Diagnosis, diagnose } from '@vitrine/server/doctor'
import { defineCommand, CommandError, UsageError } from '../command/command.ts'
import { counted, visible } from '../command/table.ts'

export const doctor = defineCommand({
  usage: '[--data <folder>] [--token] [--json]',
  summary: 'Look at everything that a server depends on, and say which setting to change',
  details: [
    'It takes the server’s variables, and looks at the database, the blob store (by writing to it, and',
    'removing that again), the disk, the public address, the provider and the clocks, as a server with these',
    'variables finds them, whether one runs or not. It changes nothing. Run it as the account that the',
    'server runs as. With --token it reads an access token from standard input, and judges it claim by',
    'claim as the server does. It ends with 9 if anything is wrong.',
  ].join('\n'),
  examples: [
    ['doctor', 'what is wrong with the settings of this shell'],
    ['doctor --data ./data --json', 'one JSON value a line, for another program'],
    ['doctor --token < token.txt', 'and why the server does not take this token'],
  ],
  positionals: 0,
  options: {
    data: { type: 'string' },
    token: { type: 'boolean' },
    json: { type: 'boolean' },
  },
  run: async ({ values, io }) => {
    const { console, env, stdin } = io
    const token = values.token ? (await text(stdin)).trim() : undefined
    if (token === '') throw new UsageError('Standard input has no token.')
    const { data } = values
    const folder = data === undefined ? {} : { VITRINE_DATA_DIR: data }
    let wrong = 0
    for await (const line of diagnose({ ...env, ...folder }, { token })) {
      if (line.status === 'wrong') wrong += 1
      console.log(values.json ? JSON.stringify(line) : visible(show(line)))
    }
    if (wrong > 0) throw new CommandError(`Wrong: ${counted(wrong, 'thing')}.`, { exitCode: 9 })
  },
})

function show({ subject, status, found, change }: Diagnosis): string {
  const line = `${status.padEnd(7)}  ${subject.padEnd(8)}  ${found}.`
  return change === undefined ? line : `${line} Change: ${change}.`
}
