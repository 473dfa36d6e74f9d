import { useEffect, useMemo, useState } from 'react'
import { useAuth } from 'react-oidc-context'
import { useApp } from '../../app-context.tsx'
import { createDraftStore } from '../../drafts/use-draft.ts'
import { readCorrections, type Corrections } from './corrections.ts'

export type CorrectionStore = {
  of: (fileKey: string) => Corrections
  change: (fileKey: string, corrections: Corrections) => void
}

const none: Corrections = {}

/** Keeps the corrections of refused rows in this tab, by the file that they are of, until it is imported. */
export function useCorrections(repo: string): CorrectionStore {
  const { session } = useApp()
  const user = useAuth().user?.profile.sub ?? ''
  const drafts = useMemo(() => createDraftStore(sessionStorage, user), [user])
  const [changed, setChanged] = useState<Readonly<Record<string, Corrections>>>({})
  const isChanged = Object.values(changed).some((each) => Object.keys(each).length > 0)
  useEffect(() => (isChanged ? session.hold() : undefined), [isChanged, session])
  return useMemo(() => {
    const screen = (fileKey: string) => `import ${repo} ${fileKey}`
    return {
      of: (fileKey) => changed[fileKey] ?? drafts.read(screen(fileKey), readCorrections) ?? none,
      change: (fileKey, corrections) => {
        setChanged((before) => ({ ...before, [fileKey]: corrections }))
        if (Object.keys(corrections).length === 0) drafts.clear(screen(fileKey))
        else drafts.write(screen(fileKey), corrections)
      },
    }
  }, [changed, drafts, repo])
}
