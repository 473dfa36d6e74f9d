import { useLayoutEffect, useState, type MouseEvent } from 'react'

/** Steps from one place to another that wait for their turn; one is taken at a time. */
export class StepQueue<Step> {
  #pending: Step[] = []
  #isTaking = false
  #place: string | undefined

  get isTaking(): boolean {
    return this.#isTaking
  }

  add(step: Step): void {
    this.#pending.push(step)
  }

  /** Removes the step to take now, and before it those that lead nowhere. */
  next(leads: (step: Step) => boolean | undefined): Step | undefined {
    while (!this.#isTaking && this.#pending.length > 0) {
      const step = this.#pending[0]!
      const isPossible = leads(step)
      if (isPossible === undefined) return undefined
      this.#pending.shift()
      this.#isTaking = isPossible
      if (isPossible) return step
    }
    return undefined
  }

  /** Ends the step that has led to a place. Without one, something else has: drops what is pending. */
  arriveAt(place: string): void {
    if (place === this.#place) return
    this.#place = place
    if (!this.#isTaking) this.#pending = []
    this.#isTaking = false
  }

  /** Ends the step that is being taken where it turns out to lead nowhere. */
  end(): void {
    this.#isTaking = false
  }

  drop(): void {
    this.#pending = []
    this.#isTaking = false
  }
}

type Options<Step> = {
  /** Names the place that is shown, which a step changes. */
  place: string
  /** Tells if a step leads to another place; undefined until that is known. */
  leads: (step: Step) => boolean | undefined
  /** Takes a step, and ends it in the queue if it turns out to lead nowhere. */
  take: (step: Step, queue: StepQueue<Step>) => void
}

/** Takes steps in the order in which they are made, each from the place that the one before it has led to. */
export function useStepQueue<Step>({ place, leads, take }: Options<Step>) {
  const [queue] = useState(() => new StepQueue<Step>())
  const advance = () => {
    const step = queue.next(leads)
    if (step !== undefined) take(step, queue)
  }
  useLayoutEffect(() => {
    queue.arriveAt(place)
    advance()
  })
  return {
    go: (step: Step) => {
      queue.add(step)
      advance()
    },
    drop: () => queue.drop(),
  }
}

/** Tells whether the browser opens what is clicked in a tab or window of its own. */
export function opensElsewhere({ ctrlKey, metaKey, shiftKey, altKey }: MouseEvent): boolean {
  return ctrlKey || metaKey || shiftKey || altKey
}
