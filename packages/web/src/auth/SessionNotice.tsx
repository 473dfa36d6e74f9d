import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { useAuth } from 'react-oidc-context'
import { Notice } from '../ui/Notice.tsx'
import { recordRedirect, redirectedBefore } from './session.ts'
import { signInFrom } from './silent-sign-in.ts'
import type { SessionState } from './session-machine.ts'
import { useSessionState } from './use-session-state.ts'

const texts: Partial<Record<SessionState, string>> = {
  expired: 'Your sign-in has expired. This page stays as it is until you sign in again.',
  refused: 'The server does not accept your sign-in any more. Sign in again to go on.',
  signedOutElsewhere:
    'You signed out in another tab. This page stays as it is until you sign in again.',
}

/**
 * Tells that the session has ended. If the server refused it and nothing typed would be lost, the user
 * is sent to sign-in, but only once.
 */
export function SessionNotice() {
  const { state, held } = useSessionState()
  const { signinRedirect } = useAuth()
  const signIn = () => void signinRedirect(signInFrom(window.location))
  const mustRedirect = state === 'refused' && !held
  useEffect(() => {
    if (!mustRedirect || redirectedBefore()) return
    recordRedirect()
    void signinRedirect(signInFrom(window.location))
  }, [mustRedirect, signinRedirect])

  const text = texts[state]
  if (text === undefined) return null
  return (
    <Notice urgent>
      {text}{' '}
      <Button size="compact-sm" onClick={signIn}>
        Sign in again
      </Button>
    </Notice>
  )
}
