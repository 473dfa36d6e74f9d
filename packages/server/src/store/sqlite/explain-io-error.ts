import { randomUUID } from 'node:crypto'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { privateFile } from '../../runtime/private-modes.ts'

/** Low byte of SQLite's codes for a system call that failed (https://www.sqlite.org/rescode.html). */
const ioError = 10

/** Bytes to write as a test: a page of the write-ahead log and its index. */
const probe = Buffer.alloc(64 * 1024)

/**
 * Says whether a fault of the disk is want of room. SQLite does so only of writes: a sync that meets a full disk
 * or a quota is an I/O error like others (https://www.sqlite.org/rescode.html#ioerr_fsync), and `node:sqlite` gives
 * no errno. So a file is written and synced beside the database, and what the system says of that counts.
 */
export async function explainIoError(error: unknown, folder: string): Promise<unknown> {
  const { errcode } = Object(error) as { errcode?: unknown }
  if (typeof errcode !== 'number' || (errcode & 0xff) !== ioError) return error
  const fault = await writeProbe(join(folder, `probe-${randomUUID()}`))
  const isFull = ['ENOSPC', 'EDQUOT'].includes(fault?.code ?? '')
  return isFull ? Object.assign(fault!, { cause: error }) : error
}

async function writeProbe(path: string): Promise<NodeJS.ErrnoException | undefined> {
  try {
    const file = await open(path, 'wx', privateFile)
    try {
      await file.writeFile(probe)
      await file.datasync()
    } finally {
      await file.close()
      await rm(path)
    }
    return undefined
  } catch (error) {
    return error as NodeJS.ErrnoException
  }
}
