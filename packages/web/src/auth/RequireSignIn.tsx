import { useEffect, useState, type ReactNode } from 'react'
import { hasAuthParams, useAuth, type ErrorContext } from 'react-oidc-context'
import { mustAsk, signInFrom } from './silent-sign-in.ts'
import { useSessionState } from './use-session-state.ts'
import { ErrorBox } from '../ui/ErrorBox.tsx'
import { StartScreen } from '../ui/StartScreen.tsx'
import { Button } from '@mantine/core'

/**
 * Shows the app to a signed-in user and sends anyone else to the provider. Once shown, the app stays:
 * a token that expires or is being renewed takes no page away from the user, nor does signing out in another
 * tab if something was typed.
 */
export function RequireSignIn({ waiting, children }: { waiting: ReactNode; children: ReactNode }) {
  const auth = useAuth()
  const { state, held } = useSessionState()
  const signedOutElsewhere = state === 'signedOutElsewhere'
  const [entered, setEntered] = useState(false)
  if (auth.isAuthenticated && !entered) setEntered(true)
  // The user is gone, not expired: signed out.
  if (auth.user === undefined && entered && !(signedOutElsewhere && held)) setEntered(false)
  // A renewal that fails is told of by the notice.
  const failed = auth.error !== undefined && auth.error.source !== 'renewSilent'

  // A failed callback must not lead to another sign-in: that would be a loop.
  const mustSignIn =
    !entered &&
    // The tab that signs out is on its way to the provider, where the session may still be there.
    !signedOutElsewhere &&
    !auth.isLoading &&
    !auth.isAuthenticated &&
    !failed &&
    auth.activeNavigator === undefined &&
    !hasAuthParams()
  const mustAskUser = mustAsk(auth.error)
  const { signinRedirect } = auth
  useEffect(() => {
    if (mustSignIn) void signinRedirect(signInFrom(window.location))
  }, [mustSignIn, signinRedirect])
  useEffect(() => {
    // The page that was asked for is noted already.
    if (mustAskUser) void signinRedirect()
  }, [mustAskUser, signinRedirect])

  if (entered) return children
  if (signedOutElsewhere) {
    return <SignedOutElsewhere onSignIn={() => void signinRedirect(signInFrom(window.location))} />
  }
  if (auth.error !== undefined && failed && !mustAskUser && !auth.isLoading) {
    const { authority } = auth.settings
    return (
      <SignInFailed
        error={auth.error}
        authority={authority}
        onRetry={() => void signinRedirect()}
      />
    )
  }
  return waiting
}

function SignInFailed({
  error,
  authority,
  onRetry,
}: {
  error: ErrorContext
  authority: string
  onRetry: () => void
}) {
  return (
    <StartScreen title={error.source.startsWith('signout') ? 'Sign-out failed' : 'Sign-in failed'}>
      <ErrorBox
        error={error}
        hint={`The identity provider is ${authority}.`}
        retryLabel="Try again"
        onRetry={onRetry}
      />
    </StartScreen>
  )
}

/** Tells in a tab that another one has signed out. */
function SignedOutElsewhere({ onSignIn }: { onSignIn: () => void }) {
  return (
    <StartScreen title="Signed out">
      <p role="alert">You signed out in another tab.</p>
      <Button onClick={onSignIn}>Sign in</Button>
    </StartScreen>
  )
}
