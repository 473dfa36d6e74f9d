import type { ItemReader } from '../views/answer.ts'
import { OrderedReader } from './ordered-reader.ts'
import { PlainReader } from './plain-reader.ts'
import type { ReadContext } from '../views/read-context.ts'
import { unorderedSequence, type Sequence } from '../language/sequence.ts'
import type { Shown } from '../language/shown-fields.ts'

/** Reads the items of a sequence; `show` says what is shown of them, or of one field only. */
export function openReader(
  context: ReadContext,
  sequence: Sequence,
  show: (only?: string) => Shown,
): ItemReader {
  if (sequence.kind === 'plain') return new PlainReader(context, sequence, show)
  const counted = unorderedSequence(sequence)
  const unordered = counted === sequence ? undefined : openReader(context, counted, show)
  return new OrderedReader(context, sequence, { show, unordered })
}
