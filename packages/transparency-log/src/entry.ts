/** Entry of the log for an item. */
export type Entry = {
  id: number
  /** ISO 8601, in UTC, to the millisecond. */
  createdAt: string
  /** The subject of the person who added it. */
  by?: string
  /** Sixteen bytes in hexadecimal that nobody can guess; entries of before there were nonces have none. */
  nonce?: string
  /** The sha256 of `sealText` of its values, in hexadecimal. */
  seal: string
  /** Id of the item that it corrects. */
  replaces?: number
  /** Id of the item that it withdraws, with the seal of that. */
  withdraws?: number
}

/** A value of an item as it is sealed. */
export type SealedValue = {
  field: string
  /** In lowercase hexadecimal. */
  sha256: string
  /** Media type of a file. */
  mime?: string | undefined
}

/**
 * Writes the text whose hash is an item's seal: JSON in the form of RFC 8785, by the names of the fields that have a
 * value.
 */
export function sealText(values: readonly SealedValue[]): string {
  const members = values
    .toSorted((a, b) => (a.field < b.field ? -1 : 1))
    .map(({ field, sha256, mime }) => {
      const media = mime === undefined ? '' : `"mime":${JSON.stringify(mime)},`
      return `${JSON.stringify(field)}:{${media}"sha256":"${sha256}"}`
    })
  return `{${members.join(',')}}`
}

/** An entry as it stands in the log: JSON in the form of RFC 8785. */
export function entryText({ id, createdAt, by, nonce, seal, replaces, withdraws }: Entry): string {
  const author = by === undefined ? '' : `"by":${JSON.stringify(by)},`
  const unguessable = nonce === undefined ? '' : `"nonce":"${nonce}",`
  const corrected = replaces === undefined ? '' : `"replaces":${replaces},`
  const withdrawn = withdraws === undefined ? '' : `,"withdraws":${withdraws}`
  return `{${author}"createdAt":"${createdAt}","id":${id},${unguessable}${corrected}"seal":"${seal}"${withdrawn}}`
}

/** Reads an entry; undefined where it is not as `entryText` writes it. */
export function readEntry(text: string): Entry | undefined {
  let read: Partial<Record<string, unknown>>
  try {
    read = JSON.parse(text) as typeof read
  } catch {
    return undefined
  }
  const { id, createdAt, by, nonce, seal, replaces, withdraws } = read ?? {}
  if (typeof id !== 'number' || typeof createdAt !== 'string' || typeof seal !== 'string')
    return undefined
  const entry: Entry = {
    id,
    createdAt,
    seal,
    ...(typeof by === 'string' && { by }),
    ...(typeof nonce === 'string' && { nonce }),
    ...(typeof replaces === 'number' && { replaces }),
    ...(typeof withdraws === 'number' && { withdraws }),
  }
  return entryText(entry) === text ? entry : undefined
}
