import { ErrorBox } from './ui/ErrorBox.tsx'
import { StartScreen } from './ui/StartScreen.tsx'

export function StartFailed({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <StartScreen title="Vitrine could not start">
      <ErrorBox
        error={error instanceof Error ? error : new Error(String(error))}
        hint="The server gave no configuration. Is it running?"
        onRetry={onRetry}
      />
    </StartScreen>
  )
}
