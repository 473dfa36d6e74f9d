import type { ErrorContext } from 'react-oidc-context'
import { ErrorBox } from '../ui/ErrorBox.tsx'
import { StartScreen } from '../ui/StartScreen.tsx'

export function SignInFailed({ error, onRetry }: { error: ErrorContext; onRetry: () => void }) {
  return (
    <StartScreen title={error.source.startsWith('signout') ? 'Sign-out failed' : 'Sign-in failed'}>
      <ErrorBox error={error} retryLabel="Try again" onRetry={onRetry} />
    </StartScreen>
  )
}
