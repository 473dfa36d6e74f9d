/** Subjects of the doctor, in the order of its lines. */
export type Subject =
  | 'settings'
  | 'database'
  | 'blobs'
  | 'logs'
  | 'disk'
  | 'server'
  | 'proxy'
  | 'provider'
  | 'clock'
  | 'token'

/** One line of the doctor. */
export type Diagnosis = {
  subject: Subject
  /** `skipped`: could not be looked at, for no fault of the settings. */
  status: 'ok' | 'wrong' | 'skipped'
  /** Finding, without a full stop. */
  found: string
  /** Advice: a setting by its name, and how to change it. Set only where something is wrong. */
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

/** Returns the message at the root of an error: that of `fetch` says only that it failed. */
export function reasonOf(error: unknown): string {
  let inner = error as Error
  while (inner.cause instanceof Error) inner = inner.cause
  const { code } = inner as NodeJS.ErrnoException
  return inner.message === '' ? (code ?? inner.name) : inner.message
}
