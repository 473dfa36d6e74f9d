import type { IntegrityByField } from '@vitrine/contract'

/** A commit as it is sent: sent again, it changes nothing, and its reply says what became of it. */
export type SentCommit = { itemId: number; integrity: IntegrityByField }

/** Files of a repository that were committed from this browser, by path and content. */
export type CommittedFiles = {
  has: (path: string, sha256: string) => boolean
  /** The last commit of a file, where it is not known what became of it. */
  sent: (path: string, sha256: string) => SentCommit | undefined
  /** Notes a commit at once, so that it is known before it can have any effect. */
  send: (path: string, sha256: string, commit: SentCommit) => void
  add: (path: string, sha256: string) => void
}

type Keep = Pick<Storage, 'getItem' | 'setItem'>

/** Enough of a digest to tell the versions of one file apart. */
const keptDigits = 16
const writeMs = 1000

/**
 * Kept in the browser's storage, so that the same folder can be dropped again after a reload and only
 * the rest of it is sent. `repo` names one repository for ever: not one that later has the same name.
 * What was committed is a long list and written once a second; a commit that is sent is written at once,
 * to a short list that it leaves when it stands in the long one. Several tabs add to the same lists.
 * Storage that is full or withheld costs what outlives the page, and nothing else.
 */
export function createCommittedFiles(keep: Keep, repo: string): CommittedFiles {
  const committed = new KeptMap<string>(keep, `vitrine.committed.${repo}`)
  const sent = new KeptMap<SentCommit>(keep, `vitrine.sent.${repo}`)
  const added = new Map<string, string>()
  let writing: ReturnType<typeof setTimeout> | undefined
  const write = () => {
    writing = undefined
    const isWritten = committed.change((entries) => {
      for (const [path, digits] of added) entries.set(path, digits)
    })
    if (!isWritten) return
    sent.change((entries) => {
      for (const [path, digits] of added) entries.delete(`${digits} ${path}`)
    })
    added.clear()
  }
  const digitsOf = (sha256: string) => sha256.slice(0, keptDigits)
  return {
    has: (path, sha256) => committed.entries.get(path) === digitsOf(sha256),
    sent: (path, sha256) => sent.entries.get(`${digitsOf(sha256)} ${path}`),
    send: (path, sha256, commit) => {
      sent.change((entries) => entries.set(`${digitsOf(sha256)} ${path}`, commit))
    },
    add: (path, sha256) => {
      committed.entries.set(path, digitsOf(sha256))
      added.set(path, digitsOf(sha256))
      writing ??= setTimeout(write, writeMs)
    },
  }
}

/** A map that is also in the browser's storage, where other tabs may change it. */
class KeptMap<Value> {
  entries: Map<string, Value>
  readonly #keep: Keep
  readonly #key: string

  constructor(keep: Keep, key: string) {
    this.#keep = keep
    this.#key = key
    this.entries = new Map(this.#read())
  }

  /** Changes what is kept by now; false where it could not be kept, and is changed here alone. */
  change(change: (entries: Map<string, Value>) => void): boolean {
    for (const [name, value] of this.#read()) this.entries.set(name, value)
    change(this.entries)
    try {
      this.#keep.setItem(this.#key, JSON.stringify([...this.entries]))
      return true
    } catch {
      // See above.
      return false
    }
  }

  #read(): [string, Value][] {
    try {
      return JSON.parse(this.#keep.getItem(this.#key) ?? '[]') as [string, Value][]
    } catch {
      return []
    }
  }
}
