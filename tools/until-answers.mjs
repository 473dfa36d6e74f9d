import { setTimeout as sleep } from 'node:timers/promises'

/** Waits until a server answers; any answer will do, a refusal included. */
export async function untilAnswers(endpoint, child) {
  for (let attempt = 0; attempt < 3600; attempt += 1) {
    if (child.exitCode !== null) throw new Error('the server ended before it was ready')
    try {
      await fetch(endpoint)
      return
    } catch {
      await sleep(50)
    }
  }
  throw new Error('the server does not answer')
}
