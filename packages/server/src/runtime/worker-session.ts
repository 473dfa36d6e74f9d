/** A message to a thread of a pool (`worker-pool.ts`). */
export type ToWorker<Task, Answer> = { session: number } & (
  | { kind: 'task'; id: number; task: Task }
  | { kind: 'answer'; id: number; answer: Answer }
  | { kind: 'close' }
)

/** A message from a thread of a pool. Structured clones of errors lose their own properties. */
export type FromWorker<Reply, Question> = { session: number; id: number } & (
  | { kind: 'reply'; reply: Reply }
  | { kind: 'error'; error: { message: string; stack: string | undefined; errcode?: unknown } }
  | { kind: 'question'; question: Question }
)

/** Answers what a thread needs to know for a task. */
export type AnswerQuestion<Question, Answer> = (
  question: Question,
) => Promise<{ answer: Answer; transfer?: ArrayBuffer[] }>

/** The end of a thread that neither threw nor ran out of memory: its tasks may succeed on another one. */
export class WorkerExit extends Error {
  constructor() {
    super('the worker thread has ended')
  }
}

type Link<Task, Question, Answer> = {
  session: number
  answer: AnswerQuestion<Question, Answer> | undefined
  post: (message: ToWorker<Task, Answer>, transfer?: ArrayBuffer[]) => void
  onClose: () => void
  terminate: () => Promise<void>
}

/** Tasks of one user of a worker thread, and the state that they share there (`serve-sessions.ts`). */
export class WorkerSession<Task, Reply, Question = never, Answer = never> {
  readonly #link: Link<Task, Question, Answer>
  readonly #tasks = new Map<number, PromiseWithResolvers<Reply>>()
  #lastTask = 0
  #end: { error: unknown } | undefined
  #isClosed = false

  constructor(link: Link<Task, Question, Answer>) {
    this.#link = link
  }

  /**
   * Runs a task in the thread. The memory in `transfer` is gone here, also where the task fails.
   * @throws WorkerExit; whatever ended the thread or the session; an Error as the task threw it
   */
  async run(task: Task, transfer: ArrayBuffer[] = []): Promise<Reply> {
    if (this.#end !== undefined) throw this.#end.error
    const { session, post } = this.#link
    const id = (this.#lastTask += 1)
    post({ kind: 'task', session, id, task }, transfer)
    const result = Promise.withResolvers<Reply>()
    this.#tasks.set(id, result)
    return result.promise
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
  receive(message: FromWorker<Reply, Question>): void {
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

  async #reply({ id, question }: { id: number; question: Question }): Promise<void> {
    const { session, post, answer: answerQuestion } = this.#link
    try {
      const { answer, transfer } = await answerQuestion!(question)
      post({ kind: 'answer', session, id, answer }, transfer)
    } catch (error) {
      // The thread waits on, and the session stays busy.
      this.end(error)
    }
  }
}
