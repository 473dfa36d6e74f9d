import './styles.ts'
import { MantineProvider } from '@mantine/core'
import { startTransition, StrictMode, type ReactNode } from 'react'
import { createRoot } from 'react-dom/client'
import { Root } from './Root.tsx'
import { StartFailed } from './StartFailed.tsx'
import { createApp } from './create-app.ts'
import { loadRuntimeConfig } from './data/runtime-config.ts'
import { cssVariables, theme } from './theme.ts'

const container = document.querySelector('#root')
if (container === null) throw new Error('index.html has no #root')
const root = createRoot(container)

/** Renders in slices, between which a slow device stays responsive. */
function render(content: ReactNode): void {
  startTransition(() => {
    root.render(
      <StrictMode>
        <MantineProvider
          theme={theme}
          cssVariablesResolver={cssVariables}
          defaultColorScheme="auto"
          withCssVariables
        >
          {content}
        </MantineProvider>
      </StrictMode>,
    )
  })
}

async function start(): Promise<void> {
  try {
    render(<Root {...await createApp(await loadRuntimeConfig())} />)
  } catch (error) {
    render(<StartFailed error={error} onRetry={() => void start()} />)
  }
}

void start()
