import { Component, lazy, useEffect, useState, type ComponentType, type ReactNode } from 'react'
import { ErrorBox } from './ErrorBox.tsx'

/** The code of a part of the page cannot be had, as without a network, or after another version was deployed. */
class LoadFailure extends Error {
  override name = 'LoadFailure'

  constructor(cause: unknown) {
    super('This part of the page could not be loaded', { cause })
  }
}

/** Loads code, again when it is asked for once more. @throws LoadFailure */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (cause) {
    throw new LoadFailure(cause)
  }
}

/**
 * Returns a component whose code is loaded when it is shown first, within a `Suspense`. Where the code cannot be had,
 * its place says so, and the rest of the page stays.
 */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const open = () => lazy(async () => ({ default: await loadCode(load) }))
  // React keeps a failure, so each try is a component of its own.
  let Loaded = open()
  return function LazyPart(props: Props) {
    const [tries, setTries] = useState(0)
    const retry = () => {
      Loaded = open()
      setTries(tries + 1)
    }
    return (
      <Boundary key={tries} onRetry={retry}>
        <Loaded {...props} />
      </Boundary>
    )
  }
}

type BoundaryProps = { onRetry: () => void; children: ReactNode }

class Boundary extends Component<BoundaryProps, { error?: unknown }> {
  override state: { error?: unknown } = {}

  static getDerivedStateFromError(error: unknown) {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (error === undefined) return this.props.children
    if (!(error instanceof LoadFailure)) throw error
    return <NotLoaded error={error} onRetry={this.props.onRetry} />
  }
}

function NotLoaded({ error, onRetry }: { error: LoadFailure; onRetry: () => void }) {
  const [isOutdated, setOutdated] = useState(false)
  useEffect(() => {
    let isShown = true
    void hasOtherScripts().then((hasOther) => isShown && setOutdated(hasOther))
    return () => {
      isShown = false
    }
  }, [])
  return isOutdated ? (
    <ErrorBox
      error={error}
      hint="Vitrine was updated. What you have typed may be lost when the page is loaded again."
      onRetry={() => window.location.reload()}
      retryLabel="Reload"
    />
  ) : (
    <ErrorBox error={error} onRetry={onRetry} />
  )
}

/** Whether the server has another version by now: its page names other scripts than this one has. */
async function hasOtherScripts(): Promise<boolean> {
  const script = document.querySelector<HTMLScriptElement>('script[src*="/static/js/"]')
  if (script === null) return false
  try {
    const reply = await fetch('/', { cache: 'no-store' })
    return reply.ok && !(await reply.text()).includes(new URL(script.src).pathname)
  } catch {
    return false
  }
}
