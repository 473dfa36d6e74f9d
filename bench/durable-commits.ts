import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Bare SQLite on the disk that the servers write to: how many transactions it makes durable. */
export class DurableCommits implements Disposable {
  readonly #folder = mkdtempSync(join(tmpdir(), 'vitrine-bench-'))
  readonly #database = new DatabaseSync(join(this.#folder, 'limit.db'))
  readonly #insert

  constructor() {
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL')
    this.#database.exec('create table item (id integer primary key, title text not null) strict')
    this.#insert = this.#database.prepare('insert into item (title) values (?)')
  }

  perSecond(seconds: number): number {
    const began = performance.now()
    let commits = 0
    while (performance.now() - began < seconds * 1000) {
      this.#insert.run('A picture of something')
      commits += 1
    }
    return commits / ((performance.now() - began) / 1000)
  }

  [Symbol.dispose](): void {
    this.#database.close()
    rmSync(this.#folder, { recursive: true })
  }
}
