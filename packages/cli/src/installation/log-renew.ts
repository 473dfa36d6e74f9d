import { readConfig } from '@vitrine/server/config'
import { faultText, withFaultyLogs } from '@vitrine/server/logs'
import { CommandError, defineCommand, UsageError } from '../command/command.ts'
import { ask } from '../command/io.ts'
import { counted, visible } from '../command/table.ts'

export const logRenew = defineCommand({
  usage: '[--yes]',
  summary: 'Let logs begin anew that are not what was signed of them',
  details: [
    'A server signs nothing that contradicts what was signed before, so it does not sign the log of a',
    'repository that was restored from an older backup. Restore a newer one if you can. This command names',
    'such logs, asks, and gives each another origin: whoever verified it before is told that it is another log.',
    'It takes the server’s variables; a server on SQLite has to be stopped. Items stay as they are.',
  ].join('\n'),
  examples: [
    ['log renew', 'after a restore, which is said to be as new as can be had'],
    ['log renew --yes', 'without a question'],
  ],
  positionals: 0,
  options: { yes: { type: 'boolean' } },
  run: async ({ values: { yes = false }, io }) => {
    if (!yes && io.stdin.isTTY !== true) {
      throw new UsageError('There is no terminal to ask on: give --yes to let logs begin anew.')
    }
    await withFaultyLogs(readConfig(io.env), async ({ list, renew }) => {
      const faulty = await list()
      const texts = faulty.map(({ repo, fault }) => faultText(repo?.name, fault))
      for (const text of new Set(texts)) io.console.error(visible(`${text}.`))
      if (faulty.length > 0 && !yes) {
        const answer = await ask(`Let ${counted(faulty.length, 'log')} begin anew? [y/N] `, io)
        if (answer === undefined || !/^y(?:es)?$/i.test(answer.trim())) {
          throw new CommandError('Nothing was changed.', {
            exitCode: answer === undefined ? 130 : 1,
          })
        }
      }
      await renew(faulty)
      io.console.log(
        faulty.length === 0
          ? 'Every log goes on from what was signed of it.'
          : `Began anew: ${counted(faulty.length, 'log')}.`,
      )
    })
  },
})
