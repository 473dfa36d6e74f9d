import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { privateFolder } from '../../runtime/private-modes.ts'
import type { CheckpointStore, CheckpointState } from '../blobs.ts'
import { codeOf, statOf, syncFolder } from './durable-files.ts'

/** Errors of a rename onto a folder with something in it. */
const occupied = ['ENOTEMPTY', 'EEXIST', 'EPERM']

/**
 * Keeps the state of each log in `checkpoints/GENERATION/SIZE-ROOT`: an empty file, whose name is the state. To rename
 * it compares and swaps, as of two processes that know the same name only one can give it another.
 */
export function checkpointsInFiles(folder: string): CheckpointStore {
  const checkpoints = join(folder, 'checkpoints')
  const folderOf = (log: string) => join(checkpoints, log)

  const createFirst = async (log: string, state: CheckpointState) => {
    const temporary = join(checkpoints, `new-${randomUUID()}`)
    await mkdir(temporary, { mode: privateFolder })
    try {
      const file = await open(join(temporary, nameOf(state)), 'wx')
      await file.close()
      await syncFolder(temporary)
      await rename(temporary, folderOf(log))
    } catch (error) {
      await rm(temporary, { recursive: true, force: true })
      if (occupied.includes(codeOf(error) ?? '')) return false
      throw error
    }
    await syncFolder(checkpoints)
    return true
  }

  return {
    isThere: async () => (await statOf(checkpoints)) !== undefined,

    create: async () => {
      await mkdir(checkpoints, { recursive: true, mode: privateFolder })
      await syncFolder(folder)
    },

    find: async (log) => {
      let names: string[]
      try {
        names = await readdir(folderOf(log))
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return undefined
        throw error
      }
      for (const name of names) {
        const [, size, root] = /^(\d{1,16})-([0-9a-f]{64})$/.exec(name) ?? []
        if (root !== undefined) return { size: Number(size), root, version: name }
      }
      return undefined
    },

    replace: async (log, before, state) => {
      if (before === undefined) return createFirst(log, state)
      const path = folderOf(log)
      try {
        await rename(join(path, before.version), join(path, nameOf(state)))
      } catch (error) {
        if (codeOf(error) === 'ENOENT') return false
        throw error
      }
      await syncFolder(path)
      return true
    },
  }
}

const nameOf = ({ size, root }: CheckpointState): string => `${size}-${root}`
