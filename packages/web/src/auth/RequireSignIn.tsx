import { useEffect, useState, type ReactNode } from 'react'
import { hasAuthParams, useAuth } from 'react-oidc-context'
import { SignInFailed } from './SignInFailed.tsx'
import { keepReturnPath } from './return-path.ts'

/**
 * Shows the app to a signed-in user and sends anyone else to the provider. Once shown, the app stays:
 * a token that expires or is being renewed takes no page away from the user.
 */
export function RequireSignIn({ waiting, children }: { waiting: ReactNode; children: ReactNode }) {
  const auth = useAuth()
  const [entered, setEntered] = useState(false)
  if (auth.isAuthenticated && !entered) setEntered(true)
  // The user is gone, not expired: signed out.
  if (auth.user === undefined && entered) setEntered(false)

  // A failed callback must not lead to another sign-in: that would be a loop.
  const mustSignIn =
    !entered &&
    !auth.isLoading &&
    !auth.isAuthenticated &&
    auth.error === undefined &&
    auth.activeNavigator === undefined &&
    !hasAuthParams()
  const { signinRedirect } = auth
  useEffect(() => {
    if (!mustSignIn) return
    keepReturnPath(window.location)
    void signinRedirect()
  }, [mustSignIn, signinRedirect])

  if (entered) return children
  if (auth.error !== undefined && !auth.isLoading) {
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
