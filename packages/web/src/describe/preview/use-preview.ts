import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { type Problem, type ViewPreview, emptyDescription } from '@vitrine/contract'
import { useEffect, useState } from 'react'
import { type PlacedProblem, parseDescription } from '@vitrine/client/yaml'
import { useApp } from '../../app-context.tsx'
import type { DatasetLookup } from '../suggest/suggest.ts'
import { dataAt } from '../suggest/yaml-place.ts'
import { viewProblems, withoutName } from '../view-problems.ts'

const settleMs = 200

type Shown = { preview: ViewPreview; reading: Extract<Reading, { state: 'view' }> }

export type Previewed = {
  state: Reading['state']
  /** The last preview that came; it stays until the next one is there. */
  shown: Shown | undefined
  /** Whether the preview is of an earlier text. */
  stale: boolean
  error: Error | null
  retry: () => void
}

/** The preview of a text, asked for once typing has stopped. */
export function usePreview(text: string, lookup: DatasetLookup): Previewed {
  const { queries } = useApp()
  const [settled] = useDebouncedValue(text, settleMs)
  const [read, setRead] = useState<{ text: string; reading: Reading }>()
  const [last, setLast] = useState<Shown>()

  useEffect(() => {
    let outdated = false
    const find = async () => {
      // Without the schemas nothing is known to be wrong, and nothing can be shown.
      const reading = await readDescription(settled, lookup).catch(() => wrong)
      if (!outdated) setRead({ text: settled, reading })
    }
    void find()
    return () => {
      outdated = true
    }
  }, [settled, lookup])

  const reading: Reading = read?.reading ?? { state: 'empty' }
  const isView = reading.state === 'view'
  const { data, error, refetch } = useQuery({
    ...queries.viewPreview(isView ? reading.body : undefined),
    enabled: isView,
  })
  if (isView && data !== undefined && (last?.preview !== data || last.reading !== reading)) {
    setLast({ preview: data, reading })
  }
  return {
    state: reading.state,
    shown: reading.state === 'empty' ? undefined : last,
    stale: read?.text !== text || data === undefined || !isView,
    error: isView ? error : null,
    retry: () => void refetch(),
  }
}

const wrong: Reading = { state: 'wrong' }

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
