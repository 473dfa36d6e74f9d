import { useEffect, useId } from 'react'
import { useApp } from '../app-context.tsx'

/** Something that can be done on the screen that is shown: going somewhere, or an action. */
export type Command = { label: string } & ({ to: string } | { run: () => void })

/** Commands that the current screen offers; each part of it registers its own. */
export class ScreenCommands {
  readonly #parts = new Map<string, readonly Command[]>()
  readonly #subscribers = new Set<() => void>()
  #snapshot: readonly Command[] = []

  /** Sets what a part of the screen offers; it keeps its place among the others. */
  announce(part: string, commands: readonly Command[]): void {
    this.#parts.set(part, commands)
    this.#change()
  }

  withdraw(part: string): void {
    this.#parts.delete(part)
    this.#change()
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#subscribers.add(listener)
    return () => void this.#subscribers.delete(listener)
  }

  /** Returns all commands, in the same array until some change. */
  readonly snapshot = (): readonly Command[] => this.#snapshot

  #change(): void {
    this.#snapshot = [...this.#parts.values()].flat()
    for (const listener of this.#subscribers) listener()
  }
}

/** Announces what a component offers to do while it is shown. */
export function useCommands(commands: readonly Command[]): void {
  const { commands: store } = useApp()
  const part = useId()
  // After each rendering, as what a command runs may be of that.
  useEffect(() => store.announce(part, commands))
  useEffect(() => () => store.withdraw(part), [store, part])
}
