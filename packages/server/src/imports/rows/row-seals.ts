// Runs in a checking thread.

import type { SchemaField } from '@vitrine/contract'
import { textOf } from '@vitrine/contract/values/index'
import { digestBytes, noDigest } from '../../store/digest-bytes.ts'

/**
 * Prepares the texts of which the seals of rows of one schema are the sha256, as `sealText` defines them.
 * @returns a function of a row's digests in hex, and of the sha256 and media type of each of its binaries
 */
export function prepareSealTexts(
  schema: readonly SchemaField[],
): (digests: string, binaries: readonly (string | null)[]) => string {
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
    return `{${text}}`
  }
}
