import { Button } from '@mantine/core'
import { useRouteError } from 'react-router'
import { paths } from '../paths.ts'
import { ButtonRow } from '../ui/ButtonRow.tsx'
import { ErrorBox } from '../ui/ErrorBox.tsx'
import { StartScreen } from '../ui/StartScreen.tsx'

/** The router's fallback. Home is a page load, to begin anew after a fault. */
export function UnexpectedError() {
  const error = useRouteError()
  return (
    <StartScreen title="Unexpected Application Error!">
      <ErrorBox
        error={error instanceof Error ? error : new Error(String(error))}
        hint="Reloading often helps, for example after Vitrine was updated."
      />
      <ButtonRow>
        <Button onClick={() => window.location.reload()}>Reload</Button>
        <Button variant="default" component="a" href={paths.root()}>
          Home
        </Button>
      </ButtonRow>
    </StartScreen>
  )
}
