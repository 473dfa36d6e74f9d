import { Button } from '@mantine/core'
import { StartScreen } from '../ui/StartScreen.tsx'

/** Tells in a tab that another one has signed out. */
export function SignedOutElsewhere({ onSignIn }: { onSignIn: () => void }) {
  return (
    <StartScreen title="Signed out">
      <p role="alert">You signed out in another tab.</p>
      <Button onClick={onSignIn}>Sign in</Button>
    </StartScreen>
  )
}
