import { defineCommand, CommandError } from '../command/command.ts'
import { ApiError } from '@vitrine/client'
import { serverOptions } from '../sign-in/runtime-config.ts'
import { findDeleted, openDeleted } from './deleted.ts'

export const deletedRestore = defineCommand({
  usage: '<dataset> [--as <name>] [--server <address>] [--json]',
  summary: 'Take a deleted dataset back, by its name or its number',
  details:
    'It comes back with its items. Where another dataset has its name by now, --as gives it another one.\n' +
    'What it refers to is to be taken back before it.',
  examples: [
    ['deleted restore cats', 'under its own name'],
    ['deleted restore cats --as old-cats', 'under another one'],
    ['deleted restore 12', 'the one that `vitrine deleted` shows with this number'],
  ],
  positionals: 1,
  options: { ...serverOptions, as: { type: 'string' }, json: { type: 'boolean' } },
  run: async (invocation) => {
    const [meant = ''] = invocation.positionals
    const { as, json } = invocation.values
    const client = await openDeleted(invocation)
    const { id: deletedId, name } = await findDeleted(client, meant)
    const body = as === undefined ? {} : { name: as }
    const info = await client.deletedRestore({ deletedId, body }).catch((error: unknown) => {
      if (!(error instanceof ApiError)) throw error
      if (error.code === 'DELETED_NAME_TAKEN') {
        throw new CommandError(
          `Another dataset is named ${as ?? name} by now: give another name with --as.`,
          { exitCode: 5, cause: error },
        )
      }
      const needs = error.body?.details?.needs
      if (needs === undefined) throw error
      throw new CommandError(`It refers to ${needs.join(', ')}: take back those first.`, {
        exitCode: 5,
        cause: error,
      })
    })
    invocation.io.console.log(json === true ? JSON.stringify(info) : `Took ${info.name} back.`)
  },
})
