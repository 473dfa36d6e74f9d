import { parentPort } from 'node:worker_threads'
import type { FromWorker, ToWorker } from './worker-session.ts'

type Run<Task, Reply> = (task: Task) => Reply | Promise<Reply>
/** Asks the thread that has sent a task; resolves with its answer, and never where that fails. */
export type Ask<Question, Answer> = (
  question: Question,
  transfer?: ArrayBuffer[],
) => Promise<Answer>

type Session<Task, Reply, Answer> = {
  run: Run<Task, Reply>
  /** By number, what waits for the answer to a question. */
  questions: Map<number, (answer: Answer) => void>
}

/**
 * Runs tasks of a `WorkerPool` in this thread. `open` returns what runs those of one session, and `transferOf` the
 * buffers of a reply that are transferred.
 */
export function serveSessions<Task, Reply, Question = never, Answer = never>(
  open: (ask: Ask<Question, Answer>) => Run<Task, Reply>,
  transferOf: (reply: Reply) => ArrayBuffer[] = () => [],
): void {
  const port = parentPort!
  const sessions = new Map<number, Session<Task, Reply, Answer>>()
  let lastQuestion = 0
  const post = (message: FromWorker<Reply, Question>, transfer: ArrayBuffer[] = []) =>
    port.postMessage(message, transfer)

  const openSession = (session: number) => {
    const questions: Session<Task, Reply, Answer>['questions'] = new Map()
    const run = open((question, transfer) => {
      const { promise, resolve } = Promise.withResolvers<Answer>()
      const id = (lastQuestion += 1)
      questions.set(id, resolve)
      post({ kind: 'question', session, id, question }, transfer)
      return promise
    })
    sessions.set(session, { run, questions })
    return run
  }

  const serve = async (session: number, id: number, task: Task) => {
    try {
      const run = sessions.get(session)?.run ?? openSession(session)
      const reply = await run(task)
      post({ kind: 'reply', session, id, reply }, transferOf(reply))
    } catch (error) {
      const { message, stack, errcode } = error as Error & { errcode?: unknown }
      post({ kind: 'error', session, id, error: { message, stack, errcode } })
    }
  }

  port.on('message', (message: ToWorker<Task, Answer>) => {
    const { session } = message
    if (message.kind === 'task') void serve(session, message.id, message.task)
    else if (message.kind === 'close') sessions.delete(session)
    else {
      const questions = sessions.get(session)?.questions
      questions?.get(message.id)?.(message.answer)
      questions?.delete(message.id)
    }
  })
}
