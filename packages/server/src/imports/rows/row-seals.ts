// Runs in a checking thread.

import { hash } from 'node:crypto'
import type { SchemaField } from '@vitrine/contract'
import { textOf } from '@vitrine/contract/values/index'
import { digestBytes, noDigest } from '../../store/digest-bytes.ts'

/**
 * Prepares the seals of rows of one schema, as `sealText` defines them: a sha256 over what stands between
 * the digests of a row and what is the same in all rows.
 * @returns a function of a row's digests in hex, and of the sha256 and media type of each of its binaries
 */
export function prepareRowSeals(
  schema: readonly SchemaField[],
): (digests: string, binaries: readonly (string | null)[]) => Buffer {
  let texts = 0
  let binaries = 0
  const fields = schema
    .map((field) => {
      const isText = textOf(field) !== undefined
      const at = isText ? 2 * digestBytes * texts++ : 2 * binaries++
      return { isText, at, name: field.name, head: `${JSON.stringify(field.name)}:{` }
    })
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return (digests, held) => {
    let text = ''
    for (const { isText, at, head } of fields) {
      const sha256 = isText ? digests.slice(at, at + 2 * digestBytes) : held[at]
      if (sha256 === null || sha256 === undefined || sha256 === noDigest) continue
      text += text === '' ? head : `,${head}`
      if (!isText) text += `"mime":${JSON.stringify(held[at + 1])},`
      text += `"sha256":"${sha256}"}`
    }
    return hash('sha256', `{${text}}`, 'buffer')
  }
}
