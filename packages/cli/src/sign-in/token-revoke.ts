import { pagesOf } from './open-client.ts'
import { defineCommand, CommandError } from '../command/command.ts'
import { openTokens } from './open-tokens.ts'
import { serverOptions } from './runtime-config.ts'

export const tokenRevoke = defineCommand({
  usage: '<token> [--server <address>] [--json]',
  summary: 'Revoke a personal access token, by its number or its name',
  details: 'What uses it is refused from that moment on. This cannot be undone.',
  examples: [
    ['token revoke 12', 'the token that `vitrine token list` shows with this number'],
    ['token revoke ci', 'the token of this name'],
  ],
  positionals: 1,
  options: { ...serverOptions, json: { type: 'boolean' } },
  run: async (invocation) => {
    const [meant = ''] = invocation.positionals
    const client = await openTokens(invocation)
    const tokens = await Array.fromAsync(pagesOf((page) => client.tokenList(page)))
    const named = tokens.filter(({ name }) => name === meant)
    const [token, another] = [...tokens.filter(({ id }) => String(id) === meant), ...named]
    if (token === undefined) {
      throw new CommandError(`You have no token ${meant}. \`vitrine token list\` lists them.`, {
        exitCode: 4,
      })
    }
    if (another !== undefined && String(token.id) !== meant) {
      const ids = named.map(({ id }) => id).join(', ')
      throw new CommandError(
        `Several tokens are named ${meant}: give the number of one, of ${ids}.`,
        {
          exitCode: 5,
        },
      )
    }
    await client.tokenRevoke({ tokenId: token.id })
    invocation.io.console.log(
      invocation.values.json
        ? JSON.stringify({ revoked: token.id, name: token.name })
        : `Revoked ${token.name}, number ${token.id}.`,
    )
  },
})
