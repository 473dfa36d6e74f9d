import { parseDescription, type PlacedProblem } from '@vitrine/client/yaml'
import { emptyDescription, type Problem } from '@vitrine/contract'
import type { DatasetLookup } from '../suggest/suggest.ts'
import { dataAt } from '../suggest/yaml-place.ts'
import { viewProblems, withoutName } from '../view-problems.ts'

/** Result of reading a text for a preview. */
export type Reading =
  | { state: 'empty' }
  /** There is a problem, which the editor shows. */
  | { state: 'wrong' }
  | { state: 'view'; base: string; body: unknown; place: (problem: Problem) => PlacedProblem }

/** Reads the description of a view as far as a preview needs it: it may still lack a name. */
export async function readDescription(text: string, lookup: DatasetLookup): Promise<Reading> {
  if (text.trim() === '' || text.trim() === emptyDescription) return { state: 'empty' }
  const parsed = parseDescription(text)
  if (!parsed.ok) return { state: 'wrong' }
  const body = withoutName(parsed.value)
  const base = dataAt(body, ['base'])
  if (base === undefined || base === null) return { state: 'empty' }
  const problems = await viewProblems(body, lookup)
  if (problems.length > 0 || typeof base !== 'string') return { state: 'wrong' }
  return { state: 'view', base, body, place: parsed.place }
}
