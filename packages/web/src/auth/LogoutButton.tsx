import { Button } from '@mantine/core'
import { useAuth } from 'react-oidc-context'

export function LogoutButton() {
  const { isAuthenticated, signoutRedirect } = useAuth()
  if (!isAuthenticated) return null
  return (
    <Button variant="default" size="compact-md" onClick={() => void signoutRedirect()}>
      Logout
    </Button>
  )
}
