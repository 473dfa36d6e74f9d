import type { ItemReader } from './answer.ts'
import { OrderedReader } from './ordered-reader.ts'
import { PlainReader } from './plain-reader.ts'
import type { ReadContext } from './read-context.ts'
import type { Sequence } from './sequence.ts'
import type { Shown } from './shown-fields.ts'

/** Reads the items of a sequence; `show` says what is shown of them, or of one field only. */
export function openReader(
  context: ReadContext,
  sequence: Sequence,
  show: (only?: string) => Shown,
): ItemReader {
  return sequence.kind === 'plain'
    ? new PlainReader(context, sequence, show)
    : new OrderedReader(context, sequence, show)
}
