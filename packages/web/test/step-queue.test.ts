import { expect, test } from 'vitest'
import { StepQueue } from '../src/ui/use-step-queue.ts'

function queueOf(...steps: string[]): StepQueue<string> {
  const queue = new StepQueue<string>()
  queue.arriveAt('start')
  for (const step of steps) queue.add(step)
  return queue
}

const always = () => true

test('steps are taken in their order, one at a place', () => {
  const queue = queueOf('a', 'b')
  expect(queue.next(always)).toBe('a')
  queue.arriveAt('start')
  expect(queue.next(always)).toBeUndefined()
  queue.arriveAt('second')
  queue.add('c')
  expect(queue.next(always)).toBe('b')
  queue.arriveAt('third')
  expect(queue.next(always)).toBe('c')
  queue.arriveAt('fourth')
  expect(queue.next(always)).toBeUndefined()
})

test('a step waits until it is known where it leads', () => {
  const queue = queueOf('a', 'b')
  expect(queue.next(() => undefined)).toBeUndefined()
  expect(queue.next(always)).toBe('a')
})

test('a step that leads nowhere is left out, and holds back none after it', () => {
  const queue = queueOf('beyond', 'beyond', 'back', 'on')
  expect(queue.next((step) => step !== 'beyond')).toBe('back')
  queue.end()
  expect(queue.next(always)).toBe('on')
})

test('pending steps are dropped, also where something else leads to another place', () => {
  const queue = queueOf('a', 'b')
  queue.next(always)
  queue.drop()
  expect(queue.next(always)).toBeUndefined()
  queue.add('c')
  queue.arriveAt('elsewhere')
  expect(queue.next(always)).toBeUndefined()
  queue.add('d')
  expect(queue.next(always)).toBe('d')
})
