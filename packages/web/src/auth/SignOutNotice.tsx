import { Button } from '@mantine/core'
import { useAuth } from 'react-oidc-context'
import { Notice } from '../ui/Notice.tsx'

/** Tells that a sign-out failed: the user is still signed in. */
export function SignOutNotice() {
  const { error, removeUser } = useAuth()
  if (error?.source !== 'signoutRedirect') return null
  return (
    <Notice urgent>
      Sign-out failed: {error.message}{' '}
      <Button size="compact-sm" onClick={() => void removeUser()}>
        Sign out of this tab only
      </Button>
    </Notice>
  )
}
