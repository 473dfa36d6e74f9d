import { setTimeout as sleep } from 'node:timers/promises'
import { lacksExt4 } from './ext4-image.ts'
import { openOnDisk } from './prepared.ts'
import type { Scenario } from './scenario.ts'
import { add, countDamage, settleAndCompare } from './settle.ts'
import { work } from './workload.ts'

/** Goes on from what had reached the disk at a moment under load, without what waited to be written. */
export const powerCuts: Scenario = {
  name: 'power-cuts',
  lacks: lacksExt4,
  open: async (opened) => {
    const { disk, installation, ledger } = await openOnDisk(opened, 1024)
    return async () => {
      const before = ledger.acknowledged.size
      const load = work(installation, ledger)
      // Of a cut before anything was acknowledged nothing can be said.
      while (ledger.acknowledged.size === before) await sleep(100)
      await sleep(300 + Math.random() * 700)
      const [server] = installation.processes
      server!.signal('SIGSTOP')
      // What it still sent is on its way: the socket's buffer is read before the cut is compared.
      disk.copyAsCut()
      await installation.kill()
      await load.stop()
      disk.becomeCopy()
      const damage = await countDamage(installation)
      const compared = await settleAndCompare(installation, ledger, { isCut: true })
      return add({ 'power cuts': 1 }, damage, compared)
    }
  },
}
