import { parentPort } from 'node:worker_threads'
import type {
  Calls,
  FromWorker,
  InputOf,
  NoCalls,
  ReplyTo,
  Sent,
  ToWorker,
} from './worker-session.ts'

/** Asks the thread that has sent a task; resolves with its answer, and never where that fails. */
export type Ask<Questions extends Calls> = <Name extends keyof Questions & string>(
  name: Name,
  ...sent: Sent<Questions, Name>
) => Promise<ReplyTo<Questions, Name>>

/** Does the tasks of one session. */
type Handlers<Tasks extends Calls> = {
  [Name in keyof Tasks]: (
    input: InputOf<Tasks, Name>,
  ) => ReplyTo<Tasks, Name> | Promise<ReplyTo<Tasks, Name>>
}

/** The buffers of a reply that are transferred, by the name of the task. */
type Transfers<Tasks extends Calls> = {
  [Name in keyof Tasks]?: (reply: ReplyTo<Tasks, Name>) => ArrayBuffer[]
}

type Session<Tasks extends Calls> = {
  handlers: Handlers<Tasks>
  /** By number, what waits for the answer to a question. */
  questions: Map<number, (answer: unknown) => void>
}

/** Runs tasks of a `WorkerPool` in this thread. `open` returns what does those of one session. */
export function serveSessions<Tasks extends Calls, Questions extends Calls = NoCalls>(
  open: (ask: Ask<Questions>) => Handlers<Tasks>,
  transfers: Transfers<Tasks> = {},
): void {
  const port = parentPort!
  const sessions = new Map<number, Session<Tasks>>()
  let lastQuestion = 0
  const post = (message: FromWorker, transfer: ArrayBuffer[] = []) =>
    port.postMessage(message, transfer)

  const openSession = (session: number) => {
    const questions: Session<Tasks>['questions'] = new Map()
    const ask = (name: string, input: unknown, transfer?: ArrayBuffer[]) => {
      const { promise, resolve } = Promise.withResolvers<unknown>()
      const id = (lastQuestion += 1)
      questions.set(id, resolve)
      post({ kind: 'question', session, id, name, input }, transfer)
      return promise
    }
    const handlers = open(ask as Ask<Questions>)
    sessions.set(session, { handlers, questions })
    return handlers
  }

  const serve = async (session: number, id: number, name: string, input: unknown) => {
    try {
      const handlers = sessions.get(session)?.handlers ?? openSession(session)
      const reply = await handlers[name]!(input as InputOf<Tasks, string>)
      post({ kind: 'reply', session, id, reply }, transfers[name]?.(reply))
    } catch (error) {
      const { message, stack, errcode } = error as Error & { errcode?: unknown }
      post({ kind: 'error', session, id, error: { message, stack, errcode } })
    }
  }

  port.on('message', (message: ToWorker) => {
    const { session } = message
    if (message.kind === 'task') void serve(session, message.id, message.name, message.input)
    else if (message.kind === 'close') sessions.delete(session)
    else {
      const questions = sessions.get(session)?.questions
      questions?.get(message.id)?.(message.answer)
      questions?.delete(message.id)
    }
  })
}
