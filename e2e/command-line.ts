import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const main = join(import.meta.dirname, '../packages/cli/src/main.ts')

/** The command line against one server, which remembers its sign-in in a folder of its own. */
export class CommandLine implements Disposable {
  readonly #serverUrl: string
  readonly #folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  readonly #started: ChildProcess[] = []

  constructor(serverUrl: string) {
    this.#serverUrl = serverUrl
  }

  /** Runs it; resolves with its exit code, or the signal that ended it. */
  run(...words: string[]): Promise<unknown[]> {
    return once(this.#start(words), 'exit')
  }

  /** Begins to sign in; `address` is the one among those it shows that matches. */
  async login(
    address: RegExp,
    ...words: string[]
  ): Promise<{ address: string; ended: Promise<unknown[]> }> {
    const login = this.#start(['login', ...words])
    const ended = once(login, 'exit')
    let printed = ''
    for await (const chunk of login.stderr!.iterator({ destroyOnReturn: false })) {
      printed += String(chunk)
      const found = address.exec(printed)
      if (found !== null) return { address: found[0], ended }
    }
    throw new Error(`login ended without such an address: ${printed}`)
  }

  [Symbol.dispose](): void {
    for (const child of this.#started) child.kill()
    rmSync(this.#folder, { recursive: true })
  }

  #start(words: string[]): ChildProcess {
    const child = spawn(process.execPath, [main, ...words, '--server', this.#serverUrl], {
      env: { PATH: process.env['PATH'], XDG_CONFIG_HOME: this.#folder },
    })
    this.#started.push(child)
    return child
  }
}
