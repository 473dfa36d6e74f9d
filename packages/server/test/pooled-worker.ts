import { threadId } from 'node:worker_threads'
import { serveSessions } from '../src/runtime/serve-sessions.ts'

export type TestTasks = {
  count: () => number
  thread: () => number
  exit: () => never
  throw: () => never
  fill: () => never
  ask: () => string
}
export type TestQuestions = { why: (text: string) => string }

serveSessions<TestTasks, TestQuestions>((ask) => {
  let tasks = 0
  const counted =
    <Reply>(run: () => Reply) =>
    () => {
      tasks += 1
      return run()
    }
  return {
    count: counted(() => tasks),
    thread: counted(() => threadId),
    exit: counted(() => process.exit()),
    throw: counted(() => {
      throw Object.assign(new Error('thrown'), { errcode: 13 })
    }),
    fill: counted(() => {
      for (const all: object[] = []; ;) all.push({ index: all.length })
    }),
    ask: counted(() => ask('why', 'why')),
  }
})
