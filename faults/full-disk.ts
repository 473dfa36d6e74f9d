import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { lacksExt4 } from './ext4-image.ts'
import { openOnDisk } from './prepared.ts'
import type { Scenario } from './scenario.ts'
import { add, countDamage, settleAndCompare } from './settle.ts'
import { work } from './workload.ts'

/** Lets others fill the disk under load, to the last byte, and makes room again. */
export const fullDisk: Scenario = {
  name: 'full-disk',
  lacks: lacksExt4,
  open: async (opened) => {
    const { disk, installation, ledger } = await openOnDisk(opened, 512)
    const ballast = join(disk.folder, 'ballast')
    return async () => {
      const load = work(installation, ledger)
      await sleep(500)
      fill(ballast)
      await sleep(3000)
      await load.stop()
      rmSync(ballast)
      // The server looks at the disk five times a second at most.
      await sleep(500)
      const settled = await settleAndCompare(installation, ledger)
      await installation.kill()
      const damage = await countDamage(installation)
      await installation.start()
      const counts = { 'times full': 1, 'replies of 507': load.refusals[507] ?? 0 }
      return add(counts, damage, settled)
    }
  },
}

function fill(file: string): void {
  for (let bytes = 8 * 1024 ** 2; bytes >= 1; bytes = Math.floor(bytes / 2)) {
    try {
      for (;;) appendFileSync(file, Buffer.alloc(bytes))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
}
