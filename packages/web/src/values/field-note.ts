/** Describes a field in a few words: its type and constraints. */
export function fieldNote(field: {
  type: string
  length?: number | undefined
  target?: string | undefined
  mime?: string | undefined
  choices?: readonly string[] | undefined
  optional?: boolean | undefined
}): string {
  const { type, length, target, mime, choices, optional = false } = field
  const words = [ofEveryItem[type] ?? type]
  if (target !== undefined) words.push(`to ${target}`)
  if (mime !== undefined) words.push(mime)
  if (choices !== undefined) words.push(`of ${choices.length} choices`)
  else if (length !== undefined) words.push(`of at most ${length.toLocaleString()}`)
  return words.join(' ') + (optional ? ', optional' : '')
}

const ofEveryItem: Readonly<Record<string, string>> = {
  id: 'given when the item is added',
  createdAt: 'when the item was added, in UTC',
}
