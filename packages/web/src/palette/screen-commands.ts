import { useEffect, useLayoutEffect, useRef } from 'react'
import { useApp } from '../app-context.tsx'

/** Something that can be done on the screen that is shown: going somewhere, or an action. */
export type Command = { label: string } & ({ to: string } | { run: () => void })

/** What the screen that is shown offers to do; each part of it announces its own. */
export class ScreenCommands {
  readonly #announced = new Set<() => readonly Command[]>()

  /** Announces commands until what comes back is called; they are asked for when they are shown. */
  announce(commands: () => readonly Command[]): () => void {
    this.#announced.add(commands)
    return () => void this.#announced.delete(commands)
  }

  all(): Command[] {
    return [...this.#announced].flatMap((commands) => commands())
  }
}

/** Announces what a component offers to do while it is shown. */
export function useCommands(commands: readonly Command[]): void {
  const { commands: announced } = useApp()
  const latest = useRef(commands)
  useLayoutEffect(() => {
    latest.current = commands
  })
  useEffect(() => announced.announce(() => latest.current), [announced])
}
