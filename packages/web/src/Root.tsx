import { QueryClientProvider } from '@tanstack/react-query'
import type { User } from 'oidc-client-ts'
import { useState } from 'react'
import { AuthProvider } from 'react-oidc-context'
import { RouterProvider } from 'react-router/dom'
import { AppProvider, type App } from './app-context.tsx'
import { takeSilentReturn } from './auth/silent-sign-in.ts'
import { RequireSignIn } from './auth/RequireSignIn.tsx'
import type { CreatedApp } from './create-app.ts'
import { SignInWaiting } from './layout/SignInWaiting.tsx'
import { createRouter } from './router.tsx'

export function Root({ app, userManager, browserSession }: CreatedApp) {
  const onSigninCallback = (user: User | undefined) => {
    const path = takeSilentReturn(user) ?? window.location.pathname
    // Without the callback's code and state.
    window.history.replaceState(null, '', path)
    // In a hidden frame there is none: its page has the user.
    if (user !== undefined) browserSession.join()
  }
  return (
    <AppProvider value={app}>
      <QueryClientProvider client={app.queryClient}>
        <AuthProvider userManager={userManager} onSigninCallback={onSigninCallback}>
          <RequireSignIn waiting={<SignInWaiting />}>
            <Routes app={app} />
          </RequireSignIn>
        </AuthProvider>
      </QueryClientProvider>
    </AppProvider>
  )
}

/**
 * A router starts its loaders when it is created, so it is created once a user exists. That also lets
 * it begin with an address from which the callback's code and state are gone.
 */
function Routes({ app }: { app: App }) {
  const [router] = useState(() => createRouter(app))
  return <RouterProvider router={router} />
}
