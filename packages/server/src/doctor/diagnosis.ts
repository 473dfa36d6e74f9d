/** What the doctor looks at, in the order of its lines. */
export type Subject =
  'settings' | 'database' | 'blobs' | 'disk' | 'server' | 'proxy' | 'provider' | 'clock' | 'token'

/** One line of the doctor. */
export type Diagnosis = {
  subject: Subject
  /** `skipped`: could not be looked at, for no fault of the settings. */
  status: 'ok' | 'wrong' | 'skipped'
  /** What was found, without a full stop. */
  found: string
  /** What to change: a setting by its name, and how. Only where something is wrong. */
  change?: string
}

export const ok = (subject: Subject, found: string): Diagnosis => ({ subject, status: 'ok', found })

export const skipped = (subject: Subject, found: string): Diagnosis => ({
  subject,
  status: 'skipped',
  found,
})

export const wrong = (subject: Subject, found: string, change: string): Diagnosis => ({
  subject,
  status: 'wrong',
  found,
  change,
})

/** What an error says at its root: that of `fetch` says only that it failed. */
export function reasonOf(error: unknown): string {
  let inner = error as Error
  while (inner.cause instanceof Error) inner = inner.cause
  const { code } = inner as NodeJS.ErrnoException
  return inner.message === '' ? (code ?? inner.name) : inner.message
}
