import { threadId } from 'node:worker_threads'
import { serveSessions } from '../src/runtime/serve-sessions.ts'

export type TestTask = 'count' | 'thread' | 'exit' | 'throw' | 'fill' | 'ask'

serveSessions((ask: (question: string) => Promise<string>) => {
  let tasks = 0
  return (task: TestTask): number | string | Promise<string> => {
    tasks += 1
    switch (task) {
      case 'count':
        return tasks
      case 'thread':
        return threadId
      case 'exit':
        return process.exit()
      case 'throw':
        throw Object.assign(new Error('thrown'), { errcode: 13 })
      case 'fill':
        for (const all: object[] = []; ;) all.push({ index: all.length })
      case 'ask':
        return ask('why')
    }
  }
})
