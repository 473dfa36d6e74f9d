import { ApiError, type Client } from '@vitrine/client'
import type { PlacedProblem } from '@vitrine/client/yaml'
import { problemText } from '@vitrine/contract'
import type { DescriptionKind } from './description-kind.ts'
import { loadCode } from '../ui/lazy-part.tsx'

/** On a 409: what was entered, and the error that carries what exists. */
export type NameTaken = { name: string; entered: unknown; error: ApiError }

/** A description that was not taken, by this program or by the server. */
export class DescriptionRefused extends Error {
  override name = 'DescriptionRefused'
  readonly text: string
  /** Problems with their places in `text`. */
  readonly placed: readonly PlacedProblem[]
  readonly taken: NameTaken | undefined

  constructor(
    message: string,
    {
      text,
      placed,
      taken,
      cause,
    }: {
      text: string
      placed: readonly PlacedProblem[]
      taken?: NameTaken
      cause?: unknown
    },
  ) {
    super(message, { cause })
    this.text = text
    this.placed = placed
    this.taken = taken
  }

  /** Describes the problems, one sentence each, with line and column. */
  get problems(): string[] {
    return this.placed.map(
      (problem) => `Line ${problem.line}, column ${problem.column}: ${problemText(problem)}`,
    )
  }
}

/**
 * Whether a description has nothing any more for which it was refused: what this program finds, the name that is
 * taken, or the values that the server named. Whether it takes the others, it alone knows.
 */
export async function isMended(
  kind: DescriptionKind,
  refused: DescriptionRefused,
  text: string,
): Promise<boolean> {
  const { checkParsed, parseDescription } = await loadCode(() => import('@vitrine/client/yaml'))
  const checked = checkParsed(text, kind.check)
  if (!checked.ok) return false
  if (refused.cause === undefined) return true
  if (refused.taken !== undefined) return checked.value.name !== refused.taken.name
  const { dataAt } = await loadCode(() => import('./suggest/yaml-place.ts'))
  const [before, now] = [refused.text, text].map((each) => {
    const parsed = parseDescription(each)
    return parsed.ok ? parsed.value : undefined
  })
  const isChanged = ({ path }: PlacedProblem) =>
    JSON.stringify(dataAt(before, path)) !== JSON.stringify(dataAt(now, path))
  return refused.placed.length > 0 && refused.placed.every(isChanged)
}

/**
 * Parses and checks a description, and submits what it says as JSON.
 *
 * @returns the name of the dataset
 * @throws DescriptionRefused
 */
export async function submitDescription(
  kind: DescriptionKind,
  client: Client,
  text: string,
): Promise<string> {
  const { checkParsed, parseDescription } = await loadCode(() => import('@vitrine/client/yaml'))
  const checked = checkParsed(text, kind.check)
  if (!checked.ok) {
    const count =
      checked.problems.length === 1 ? 'a problem' : `${checked.problems.length} problems`
    throw new DescriptionRefused(`The description has ${count}`, { text, placed: checked.problems })
  }
  const { name } = checked.value
  try {
    await kind.create(client, checked.value)
    return name
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    // Servers answer a success as they like, so nothing is asked of it but its status.
    if (error.status >= 200 && error.status <= 299) return name
    const parsed = parseDescription(text)
    throw new DescriptionRefused(error.message, {
      text,
      placed: parsed.ok ? (error.body?.details?.problems ?? []).map(parsed.place) : [],
      ...(error.status === 409 && { taken: { name, entered: checked.value, error } }),
      cause: error,
    })
  }
}
