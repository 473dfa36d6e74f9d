import { encodingOf } from '@vitrine/contract/text/encoding'
import type { Reading } from '@vitrine/rows/reading'
import { type Invocation, UsageError } from '../command/command.ts'

/** Options that say how a file of text or a workbook is read. */
export const textReadingOptions = {
  encoding: { type: 'string' },
  delimiter: { type: 'string' },
  quote: { type: 'string' },
  escape: { type: 'string' },
  null: { type: 'string' },
  header: { type: 'string' },
  comment: { type: 'string' },
  'skip-lines': { type: 'string' },
  sheet: { type: 'string' },
} as const

/** @throws UsageError */
export function textReadingOf(values: Invocation<typeof textReadingOptions>['values']): Reading {
  const { encoding, header, 'skip-lines': lines } = values
  if (header !== undefined && header !== 'none') throw new UsageError('--header takes none.')
  if (lines !== undefined && !/^[0-9]{1,4}$/.test(lines)) {
    throw new UsageError('--skip-lines takes a number of lines.')
  }
  const name = encoding === undefined ? 'utf-8' : encodingOf(encoding)
  if (name === undefined) {
    throw new UsageError('--encoding takes a name such as windows-1252, utf-16le or shift_jis.')
  }
  return {
    encoding: name === 'utf-8' ? undefined : name,
    delimiter: values.delimiter,
    quote: values.quote,
    escape: values.escape,
    null: values.null,
    header,
    comment: values.comment,
    skip: lines === undefined ? undefined : Number(lines),
    sheet: values.sheet,
  }
}
