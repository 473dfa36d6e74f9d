import { setTimeout as sleep } from 'node:timers/promises'
import { openPrepared } from './prepared.ts'
import type { Scenario } from './scenario.ts'
import { EndedBeforeReady } from './server-process.ts'
import { add, countDamage, settleAndCompare } from './settle.ts'
import { inject, lacksStrace } from './strace.ts'
import { work } from './workload.ts'

/** Calls between which the state on the disk changes. */
const calls = ['fsync', 'link', 'unlink', 'pwrite64', 'writev', 'openat']

/** Ends the process as it makes its n-th system call of a kind: before each step that changes the disk. */
export const killStates: Scenario = {
  name: 'kill-states',
  lacks: lacksStrace,
  open: async (opened) => {
    const { installation, ledger } = await openPrepared(opened)
    await installation.kill()
    let round = 0
    return async () => {
      const call = calls[round % calls.length]!
      round += 1
      // Threads are counted each by itself.
      const when = 1 + Math.floor(Math.random() ** 2 * 40)
      const ready = await installation
        .start(inject(call, `signal=KILL:when=${when}`))
        .then(() => true)
        .catch((error: unknown) => {
          if (error instanceof EndedBeforeReady) return false
          throw error
        })
      let reached = !ready
      if (ready) {
        const load = work(installation, ledger)
        const [server] = installation.processes
        await Promise.race([server!.ended, sleep(8000)])
        reached = server!.hasEnded()
        await installation.kill()
        await load.stop()
      }
      const damage = await countDamage(installation)
      const settled = await settleAndCompare(installation, ledger)
      await installation.kill()
      return add({ 'kill states': 1, 'of them reached': Number(reached) }, damage, settled)
    }
  },
}
