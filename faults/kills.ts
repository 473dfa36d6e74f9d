import { setTimeout as sleep } from 'node:timers/promises'
import { openInstallation } from './installation.ts'
import { Ledger } from './ledger.ts'
import type { Scenario } from './scenario.ts'
import { add, countDamage, settleAndCompare } from './settle.ts'
import { prepare, work } from './workload.ts'

/** Ends a process without a warning under mixed load; where there are several, the others go on. */
export const kills: Scenario = {
  name: 'kills',
  open: async (opened, { processes }) => {
    const installation = await openInstallation(opened, { processes })
    const ledger = new Ledger()
    await installation.start()
    await prepare(installation.patientClient())
    let round = 0
    return async () => {
      round += 1
      const load = work(installation, ledger)
      await sleep(300 + Math.random() * 500)
      const victim = installation.processes[round % processes]!
      await installation.kill([victim])
      await load.stop()
      // Every byte is read where nobody writes, every so often.
      const isChecked = round % 20 === 0
      if (isChecked) await installation.kill()
      const damage = isChecked ? await countDamage(installation) : {}
      return add({ kills: 1 }, damage, await settleAndCompare(installation, ledger))
    }
  },
}
