/**
 * Calls between two threads: by name, a function from what is sent to what comes back. The one thread has its
 * tasks done by them, the other asks questions meanwhile.
 */
export type Calls = Record<string, (input: never) => unknown>
export type NoCalls = Record<string, never>
export type InputOf<C extends Calls, Name extends keyof C> = Parameters<C[Name]>[0]
/** Input of a call, with the buffers that are transferred. */
export type Sent<C extends Calls, Name extends keyof C> =
  Parameters<C[Name]> extends [] ? [] : [input: InputOf<C, Name>, transfer?: ArrayBuffer[]]
export type ReplyTo<C extends Calls, Name extends keyof C> = Awaited<ReturnType<C[Name]>>

/** A message to a thread of a pool (`worker-pool.ts`). */
export type ToWorker = { session: number } & (
  | { kind: 'task'; id: number; name: string; input: unknown }
  | { kind: 'answer'; id: number; answer: unknown }
  | { kind: 'close' }
)

/** A message from a thread of a pool. Structured clones of errors lose their own properties. */
export type FromWorker = { session: number; id: number } & (
  | { kind: 'reply'; reply: unknown }
  | { kind: 'error'; error: { message: string; stack: string | undefined; errcode?: unknown } }
  | { kind: 'question'; name: string; input: unknown }
)

/** Answers the questions that a thread has for a task. */
export type Answers<Questions extends Calls> = {
  [Name in keyof Questions]: (
    input: InputOf<Questions, Name>,
  ) => Promise<{ answer: ReplyTo<Questions, Name>; transfer?: ArrayBuffer[] }>
}

/** The end of a thread that neither threw nor ran out of memory: its tasks may succeed on another one. */
export class WorkerExit extends Error {
  constructor() {
    super('the worker thread has ended')
  }
}

type Link<Questions extends Calls> = {
  session: number
  answers: Answers<Questions> | undefined
  post: (message: ToWorker, transfer?: ArrayBuffer[]) => void
  onClose: () => void
  terminate: () => Promise<void>
}

/** Tasks of one user of a worker thread, and the state that they share there (`serve-sessions.ts`). */
export class WorkerSession<Tasks extends Calls, Questions extends Calls = NoCalls> {
  readonly #link: Link<Questions>
  readonly #tasks = new Map<number, PromiseWithResolvers<unknown>>()
  #lastTask = 0
  #end: { error: unknown } | undefined
  #isClosed = false

  constructor(link: Link<Questions>) {
    this.#link = link
  }

  /**
   * Runs a task in the thread. The memory in `transfer` is gone here, also where the task fails.
   * @throws WorkerExit; whatever ended the thread or the session; an Error as the task threw it
   */
  async run<Name extends keyof Tasks & string>(
    name: Name,
    ...[input, transfer = []]: Sent<Tasks, Name>
  ): Promise<ReplyTo<Tasks, Name>> {
    if (this.#end !== undefined) throw this.#end.error
    const { session, post } = this.#link
    const id = (this.#lastTask += 1)
    post({ kind: 'task', session, id, name, input }, transfer)
    const result = Promise.withResolvers<unknown>()
    this.#tasks.set(id, result)
    return result.promise as Promise<ReplyTo<Tasks, Name>>
  }

  /** Tells whether the thread has not replied to some task, which includes those that wait for an answer. */
  get isBusy(): boolean {
    return this.#tasks.size > 0
  }

  /** Rejects the tasks that run, and drops the state in the thread, which others may use then. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.end(new Error('the session with the worker thread is closed'))
    const { session, post, onClose } = this.#link
    post({ kind: 'close', session })
    onClose()
  }

  /** Ends the thread, with the sessions of others if there are some. */
  terminate(): Promise<void> {
    return this.#link.terminate()
  }

  /** Takes a message of the thread; for the pool. */
  receive(message: FromWorker): void {
    if (message.kind === 'question') {
      void this.#reply(message)
      return
    }
    const result = this.#tasks.get(message.id)!
    this.#tasks.delete(message.id)
    if (message.kind === 'reply') result.resolve(message.reply)
    else result.reject(Object.assign(new Error(message.error.message), message.error))
  }

  /** Rejects tasks, now and later ones; for the pool, once the thread ends. */
  end(error: unknown): void {
    this.#end ??= { error }
    for (const { reject } of this.#tasks.values()) reject(this.#end.error)
  }

  async #reply({ id, name, input }: { id: number; name: string; input: unknown }): Promise<void> {
    const { session, post, answers } = this.#link
    try {
      const { answer, transfer } = await answers![name]!(input as InputOf<Questions, string>)
      post({ kind: 'answer', session, id, answer }, transfer)
    } catch (error) {
      // The thread waits on, and the session stays busy.
      this.end(error)
    }
  }
}
