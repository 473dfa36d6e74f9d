import { Ext4Image } from './ext4-image.ts'
import { openInstallation } from './installation.ts'
import { Ledger } from './ledger.ts'
import { prepare } from './workload.ts'

/** Opens an installation whose process runs, prepared for a workload, with a ledger of what is acknowledged. */
export async function openPrepared(
  opened: AsyncDisposableStack,
  options?: Parameters<typeof openInstallation>[1],
) {
  const installation = await openInstallation(opened, options)
  await installation.start()
  await prepare(installation.patientClient())
  return { installation, ledger: new Ledger() }
}

/** Opens one on a disk of its own, of so few MiB that it fills up. */
export async function openOnDisk(opened: AsyncDisposableStack, mebibytes: number) {
  const disk = new Ext4Image(mebibytes)
  opened.defer(() => disk.remove())
  disk.mount()
  opened.defer(() => disk.unmount())
  const prepared = await openPrepared(opened, { folder: disk.folder })
  // Its database was copied from that of other tests, and a copy is not durable by itself.
  disk.sync()
  return { disk, ...prepared }
}
