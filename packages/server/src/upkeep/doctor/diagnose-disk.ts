import { existsSync } from 'node:fs'
import { readRoom } from '../../blobs/disk-reserve.ts'
import type { Config } from '../../config.ts'
import { existingFolder } from './diagnose-database.ts'
import { type Diagnosis, ok, wrong } from './diagnosis.ts'

/** Compares what is free on the disks with the part of them that people may not fill. */
export async function* diagnoseDisk({ dataDir, blobs }: Config): AsyncGenerator<Diagnosis> {
  const isApart = blobs.engine === 'files' && !blobs.folder.startsWith(dataDir)
  for (const folder of isApart ? [dataDir, blobs.folder] : [dataDir]) {
    const { free, reserve } = await readRoom(existsSync(folder) ? folder : existingFolder(folder))
    const room = `${inGibibytes(free)} are free for ${folder}`
    yield free > reserve
      ? ok('disk', room)
      : wrong(
          'disk',
          `${room}, and uploads are refused below ${inGibibytes(reserve)}`,
          `make room, or ${folder === dataDir ? 'VITRINE_DATA_DIR' : 'VITRINE_BLOB_URL'}: name another disk`,
        )
  }
}

function inGibibytes(bytes: number): string {
  return `${(bytes / 1024 ** 3).toFixed(1)} GiB`
}
