import { execFile, fork, type ChildProcess } from 'node:child_process'
import { promisify } from 'node:util'
import { limits } from '@vitrine/contract'
import { fail } from '../failure.ts'
import { memoryExceeded, type DecoderReply, type DecoderTask } from './decoder-protocol.ts'
import { nodeVariables } from '../runtime/node-flags.mjs'

/** Milliseconds; a task that takes longer was made to. */
const taskMs = 35_000

/** Makes small pictures of the bytes of large ones. */
export type Decoder = {
  /**
   * Reads the head of a picture. Whoever opens it disposes of it.
   * @throws Failure PICTURE_UNREADABLE, PICTURE_TOO_LARGE
   */
  open: (bytes: Uint8Array) => Promise<OpenPicture>
  /** Ends everything; what is being made is rejected. */
  close: () => void
}

export type OpenPicture = Disposable & {
  /** Bytes of memory that it takes at most to make a small one of it. */
  memory: number
  /**
   * Makes a picture of at most so many pixels on either side, upright, and with nothing in it that is not
   * seen, such as the place where it was taken.
   * @throws Failure PICTURE_UNREADABLE, PICTURE_TOO_LARGE
   */
  shrink: (width: number) => Promise<Buffer>
}

/** Bytes of memory of a process: what a picture may take, its bytes, and Node. */
const usualMemory = 768 * 1024 ** 2

type DecoderOptions = {
  /** Called where a process ends that was not to. */
  onCrash: (error: Error) => void
  /** Bytes of memory that a process may have. */
  memoryMax?: number
  /** Milliseconds after which a process without work ends. */
  idleMs?: number
}

/** Opens what decodes pictures; returns the error where there is none for this machine. */
export async function openDecoder(options: DecoderOptions): Promise<Decoder | Error> {
  probe ??= probeLibrary()
  return (await probe) ?? new DecoderProcesses(options)
}

let probe: ReturnType<typeof probeLibrary> | undefined

/** Loads the library in a process that ends then: in this one it would stay, with 20 MB of memory. */
async function probeLibrary(): Promise<Error | undefined> {
  try {
    const code = `await import(${JSON.stringify(import.meta.resolve('sharp'))})`
    await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code], { env })
    return undefined
  } catch (error) {
    return error as Error
  }
}

/** Neither the passwords in the environment of the server, nor what is for its own threads. */
const env = {
  ...nodeVariables,
  NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
  SystemRoot: process.env['SystemRoot'],
}

/**
 * Decodes each picture in a process of its own, one after the other: libraries of C read what strangers send, and
 * a fault of theirs, or a picture that takes more memory than its head says, ends that process and not the server.
 */
class DecoderProcesses implements Decoder {
  readonly #onCrash: (error: Error) => void
  readonly #memoryMax: number
  readonly #idleMs: number
  readonly #all = new Set<ChildProcess>()
  readonly #idle: { child: ChildProcess; timer: NodeJS.Timeout }[] = []
  #isClosed = false

  constructor({ onCrash, memoryMax = usualMemory, idleMs = 30_000 }: DecoderOptions) {
    this.#onCrash = onCrash
    this.#memoryMax = memoryMax
    this.#idleMs = idleMs
  }

  async open(bytes: Uint8Array): Promise<OpenPicture> {
    const idle = this.#idle.pop()
    if (idle === undefined) return this.#openIn(this.#start(), bytes)
    const { child, timer } = idle
    clearTimeout(timer)
    child.ref()
    child.channel?.ref()
    try {
      return await this.#openIn(child, bytes)
    } catch (error) {
      if (child.connected) throw error
      // It may have ended while it was idle, as where the system is short of memory.
      return this.#openIn(this.#start(), bytes)
    }
  }

  readonly close = (): void => {
    this.#isClosed = true
    for (const child of this.#all) child.kill()
  }

  async #openIn(child: ChildProcess, bytes: Uint8Array): Promise<OpenPicture> {
    try {
      const { memory } = await this.#run(child, { kind: 'open', bytes })
      return {
        memory,
        shrink: async (width) => {
          const { picture } = await this.#run(child, { kind: 'shrink', width })
          return Buffer.from(picture.buffer, picture.byteOffset, picture.byteLength)
        },
        [Symbol.dispose]: () => this.#release(child),
      }
    } catch (error) {
      this.#release(child)
      throw error
    }
  }

  #start(): ChildProcess {
    const file = new URL('./decoder-process.ts', import.meta.url)
    const child = fork(file, [this.#memoryMax, limits.picturedPixels].map(String), {
      serialization: 'advanced',
      env,
      // Not the flags of a test runner.
      execArgv: ['--disable-warning=ExperimentalWarning'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
    this.#all.add(child)
    child.on('exit', () => this.#remove(child))
    return child
  }

  #release(child: ChildProcess): void {
    if (!child.connected) return
    child.unref()
    child.channel?.unref()
    const timer = setTimeout(() => {
      this.#remove(child)
      if (child.connected) child.disconnect()
    }, this.#idleMs).unref()
    this.#idle.push({ child, timer })
  }

  #remove(child: ChildProcess): void {
    this.#all.delete(child)
    const idle = this.#idle.find((each) => each.child === child)
    if (idle === undefined) return
    clearTimeout(idle.timer)
    this.#idle.splice(this.#idle.indexOf(idle), 1)
  }

  async #run<Kind extends DecoderTask['kind']>(
    child: ChildProcess,
    task: DecoderTask & { kind: Kind },
  ): Promise<Extract<DecoderReply, { kind: Kind }>> {
    const { promise, resolve, reject } = Promise.withResolvers<DecoderReply>()
    const onExit = (code: number | null, signal: string | null) => {
      if (this.#isClosed) return reject(fail('OVERLOADED'))
      if (code === memoryExceeded) return reject(fail('PICTURE_TOO_LARGE'))
      this.#onCrash(new Error(`its process has ended (${signal ?? code})`))
      reject(fail('PICTURE_UNREADABLE'))
    }
    child.once('message', resolve)
    child.once('exit', onExit)
    const timer = setTimeout(() => child.kill('SIGKILL'), taskMs)
    try {
      // Where that fails, the process has ended.
      child.send(task, () => undefined)
      const reply = await promise
      if (reply.kind === 'refused') throw fail(reply.code)
      return reply as Extract<DecoderReply, { kind: Kind }>
    } finally {
      clearTimeout(timer)
      child.off('message', resolve)
      child.off('exit', onExit)
    }
  }
}
