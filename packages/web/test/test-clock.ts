import { onTestFinished, vi } from 'vitest'
import type { Clock } from '../src/auth/session.ts'

/** A clock that the test moves; `Date` says the same. */
export function createTestClock() {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const wakes = new Set<{ moment: number; wake: () => void }>()
  const clock: Clock & { advance: (seconds: number) => void } = {
    now: () => Date.now(),
    wakeAt: (moment, wake) => {
      const waiting = { moment, wake }
      wakes.add(waiting)
      return () => wakes.delete(waiting)
    },
    advance: (seconds) => {
      const until = Date.now() + seconds * 1000
      for (;;) {
        const [next] = [...wakes].toSorted((a, b) => a.moment - b.moment)
        if (next === undefined || next.moment > until) break
        wakes.delete(next)
        vi.setSystemTime(Math.max(next.moment, Date.now()))
        next.wake()
      }
      vi.setSystemTime(until)
    },
  }
  return clock
}
