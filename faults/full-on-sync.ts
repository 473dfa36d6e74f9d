import { setTimeout as sleep } from 'node:timers/promises'
import { openPrepared } from './prepared.ts'
import type { Scenario } from './scenario.ts'
import { add, countDamage, settleAndCompare } from './settle.ts'
import { injectInto, lacksStrace } from './strace.ts'
import { work } from './workload.ts'

/** A disk, as a quota or a network file system makes it, that is full for good once something is synced. */
export const fullOnSync: Scenario = {
  name: 'full-on-sync',
  lacks: lacksStrace,
  open: async (opened) => {
    const { installation, ledger } = await openPrepared(opened)
    return async () => {
      const counts = { 'times full': 1, 'replies of 507': 0, 'full disks told otherwise': 0 }
      const load = work(installation, ledger)
      await sleep(500)
      const { pid } = installation.processes[0]!
      await injectInto(pid, ['fsync', 'fdatasync'], 'error=ENOSPC')
      await sleep(3000)
      await load.stop()
      for (const [status, count] of Object.entries(load.refusals)) {
        if (Number(status) === 507) counts['replies of 507'] += count
        else if (Number(status) >= 500) counts['full disks told otherwise'] += count
      }
      await installation.kill()
      const damage = await countDamage(installation)
      const settled = await settleAndCompare(installation, ledger)
      return add(counts, damage, settled)
    }
  },
}
