import { emptyTrashOf, withBlobs } from '@vitrine/server/blobs'
import { readConfig } from '@vitrine/server/config'
import { defineCommand, UsageError } from '../command/command.ts'

export const trashEmpty = defineCommand({
  usage: '[--older-than <days>]',
  summary: 'Remove the files in the trash for good',
  details: 'The server does so by itself after VITRINE_TRASH_DAYS days, 30 unless set.',
  examples: [
    ['trash empty', 'all of it, when the disk is full'],
    ['trash empty --older-than 7', 'what has been there for more than a week'],
  ],
  positionals: 0,
  options: { 'older-than': { type: 'string' } },
  run: async ({ values, io }) => {
    // Of today, too.
    const { 'older-than': olderThan = '-1' } = values
    if (!/^(?:-1|\d{1,4})$/.test(olderThan)) {
      throw new UsageError(`${olderThan} is no number of days.`)
    }
    const days = await withBlobs(readConfig(io.env), ({ blobs }) =>
      emptyTrashOf(blobs, Number(olderThan)),
    )
    io.console.log(
      days.length === 0
        ? 'There was nothing to remove.'
        : `Removed what was of ${days.join(', ')}.`,
    )
  },
})
