import { setTimeout as sleep } from 'node:timers/promises'
import { openPrepared } from './prepared.ts'
import type { Scenario } from './scenario.ts'
import { EndedBeforeReady } from './server-process.ts'
import { add, countDamage, settleAndCompare } from './settle.ts'
import { inject, lacksStrace } from './strace.ts'
import { work } from './workload.ts'

const errors = [
  ['fsync', 'EIO'],
  ['fdatasync', 'EIO'],
  ['pwrite64', 'EIO'],
  ['pwrite64', 'ENOSPC'],
  ['fsync', 'ENOSPC'],
  ['openat', 'EMFILE'],
  ['link', 'EIO'],
  ['rename', 'EIO'],
  ['writev', 'ENOSPC'],
  ['pread64', 'EIO'],
] as const

/** Has system calls of the server fail, once and again and again, while it is worked with. */
export const syscallErrors: Scenario = {
  name: 'syscall-errors',
  lacks: lacksStrace,
  open: async (opened) => {
    const { installation, ledger } = await openPrepared(opened)
    await installation.kill()
    let round = 0
    return async () => {
      const [call, error] = errors[round % errors.length]!
      // Once, or every twentieth from then on, in each thread.
      const when = 20 + Math.floor(Math.random() * 100)
      const repeated = round % 2 === 0 ? '' : '+20'
      round += 1
      const counts = {
        'runs with failing calls': 1,
        'replies of 5xx': 0,
        'replies of 4xx': 0,
      }
      try {
        await installation.start(inject(call, `error=${error}:when=${when}${repeated}`))
        const load = work(installation, ledger)
        await sleep(3000)
        await load.stop()
        for (const [status, count] of Object.entries(load.refusals)) {
          if (Number(status) >= 500) counts['replies of 5xx'] += count
          else if (Number(status) >= 400) counts['replies of 4xx'] += count
        }
      } catch (thrown) {
        // It may refuse to start.
        if (!(thrown instanceof EndedBeforeReady)) throw thrown
      }
      await installation.kill()
      const damage = await countDamage(installation)
      const settled = await settleAndCompare(installation, ledger)
      await installation.kill()
      return add(counts, damage, settled)
    }
  },
}
