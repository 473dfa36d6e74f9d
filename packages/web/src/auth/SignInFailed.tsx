import type { ErrorContext } from 'react-oidc-context'
import { ErrorBox } from '../ui/ErrorBox.tsx'
import { StartScreen } from '../ui/StartScreen.tsx'

type Props = { error: ErrorContext; authority: string; onRetry: () => void }

export function SignInFailed({ error, authority, onRetry }: Props) {
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
