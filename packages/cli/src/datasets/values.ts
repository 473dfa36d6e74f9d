import type { NewValue } from '@vitrine/client'
import { octetStream, type ShownField } from '@vitrine/contract'
import { CommandError, UsageError } from '../command/command.ts'
import { openFile } from '../command/files.ts'

/**
 * Reads the id of an item.
 * @throws UsageError for what is none
 */
export function readItemId(text = ''): string {
  if (/^[1-9]\d{0,15}$/.test(text)) return text
  throw new UsageError('An item is named by its id, a number.')
}

/**
 * Reads what was written as `field=value` and `field=@file`.
 * @throws UsageError for what is not written so, CommandError for a file that cannot be read
 */
export async function readValues(
  words: string[],
  schema: ShownField[],
): Promise<Record<string, NewValue>> {
  const values: Record<string, NewValue> = {}
  for (const word of words) {
    const [, name, written] = /^([^=]+)=(.*)$/s.exec(word) ?? []
    if (name === undefined || written === undefined) {
      throw new UsageError(`${word} is no <field>=<value>.`)
    }
    if (Object.hasOwn(values, name)) throw new UsageError(`There are two values for ${name}.`)
    const field = schema.find((each) => each.name === name)
    if (field === undefined) {
      const names = schema.map((each) => each.name).join(', ')
      throw new CommandError(`There is no field ${name}. The fields are ${names}.`, { exitCode: 4 })
    }
    values[name] = await readValue(written, field)
  }
  return values
}

async function readValue(written: string, { name, type }: ShownField): Promise<NewValue> {
  if (written.startsWith('@') && !written.startsWith('@@')) {
    const [, path = '', mime = octetStream] = /^@(.*?)(?:;type=([^;]*))?$/s.exec(written) ?? []
    return openFile(path, type === 'binary' ? mime : 'text/plain')
  }
  if (type === 'binary') {
    throw new UsageError(`${name} takes the bytes of a file: ${name}=@<file>.`)
  }
  return written.startsWith('@@') ? written.slice(1) : written
}
