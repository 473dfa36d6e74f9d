import { defineCommand } from '../command/command.ts'
import { readRuntimeConfig, serverOf, serverOptions } from './runtime-config.ts'
import { storedToken } from './stored-token.ts'

export const token = defineCommand({
  usage: '[--server <address>] [--json]',
  summary: 'Print an access token of your sign-in, for other programs',
  details:
    'It expires soon, so ask for one whenever a program starts. Until then, whoever has it can do what you\n' +
    'can do. For what runs longer, or may do less, there is `vitrine token create`.\n\n' +
    '  VITRINE_TOKEN=$(vitrine token) python load.py\n' +
    '  curl -H "Authorization: Bearer $(vitrine token)" http://localhost:8080/api/repo',
  examples: [
    ['token', 'the token, and nothing else'],
    ['token --server https://data.example.org', 'for another server than the last'],
  ],
  positionals: 0,
  options: { ...serverOptions, json: { type: 'boolean' } },
  run: async (invocation) => {
    const { apiBaseUrl } = await readRuntimeConfig(await serverOf(invocation))
    const accessToken = await storedToken(invocation.io, apiBaseUrl)()
    invocation.io.console.log(
      invocation.values.json ? JSON.stringify({ accessToken }) : accessToken,
    )
  },
})
