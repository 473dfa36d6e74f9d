import { CurrentReader } from './current-reader.ts'
import type { ItemReader } from './read-result.ts'
import { OrderedReader } from './ordered-reader.ts'
import { PlainReader } from './plain-reader.ts'
import type { ReadContext } from './read-context.ts'
import { unorderedSequence } from '../language/sequence-of.ts'
import type { Sequence } from '../language/sequence.ts'
import type { Shown } from '../language/shown-fields.ts'
import type { DatasetVersion } from '../store/datasets.ts'

/**
 * Reads the items of a sequence; `show` says what is shown of them, or of one field only. Of a repository
 * that is of another `version`, where one is given, nothing is found.
 */
export function openReader(
  context: ReadContext,
  sequence: Sequence,
  show: (only?: string) => Shown,
  version?: DatasetVersion,
): ItemReader {
  if (sequence.kind === 'plain') {
    return sequence.isCurrent
      ? new CurrentReader(context, sequence, show)
      : new PlainReader(context, sequence, show, version)
  }
  const counted = unorderedSequence(sequence)
  const unordered = counted === sequence ? undefined : openReader(context, counted, show)
  return new OrderedReader(context, sequence, { show, unordered })
}
