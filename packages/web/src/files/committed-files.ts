/** Which files of a repository were committed from this browser, by path and content. */
export type CommittedFiles = {
  has: (path: string, sha256: string) => boolean
  add: (path: string, sha256: string) => void
}

type Keep = Pick<Storage, 'getItem' | 'setItem'>

/** Enough of a digest to tell the versions of one file apart. */
const keptDigits = 16
const writeMs = 1000

/**
 * Kept in the browser's storage, so that the same folder can be dropped again after a reload and only
 * the rest of it is sent. `repo` names one repository for ever: not one that later has the same name.
 * Storage that is full or withheld costs what outlives the page, and nothing else.
 */
export function createCommittedFiles(keep: Keep, repo: string): CommittedFiles {
  const key = `vitrine.committed.${repo}`
  const digests = new Map(read(keep, key))
  let writing: ReturnType<typeof setTimeout> | undefined
  const write = () => {
    writing = undefined
    try {
      keep.setItem(key, JSON.stringify([...digests]))
    } catch {
      // See above.
    }
  }
  return {
    has: (path, sha256) => digests.get(path) === sha256.slice(0, keptDigits),
    add: (path, sha256) => {
      digests.set(path, sha256.slice(0, keptDigits))
      writing ??= setTimeout(write, writeMs)
    },
  }
}

function read(keep: Keep, key: string): [string, string][] {
  try {
    return JSON.parse(keep.getItem(key) ?? '[]') as [string, string][]
  } catch {
    return []
  }
}
