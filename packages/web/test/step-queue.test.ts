import { expect, test } from 'vitest'
import { StepQueue } from '../src/ui/use-step-queue.ts'

function queueOf(...steps: string[]): StepQueue<string> {
  const queue = new StepQueue<string>()
  for (const step of steps) queue.add(step)
  return queue
}

const always = () => true

test('steps are taken in their order, one at a place', () => {
  const queue = queueOf('a', 'b')
  expect(queue.next(always)).toBe('a')
  expect(queue.next(always)).toBeUndefined()
  queue.arrive()
  queue.add('c')
  expect(queue.next(always)).toBe('b')
  queue.arrive()
  expect(queue.next(always)).toBe('c')
  queue.arrive()
  expect(queue.next(always)).toBeUndefined()
})

test('a step waits until it is known where it leads', () => {
  const queue = queueOf('a', 'b')
  expect(queue.next(() => undefined)).toBeUndefined()
  expect(queue.next(always)).toBe('a')
})

test('a step that leads nowhere is left out, and holds back none after it', () => {
  const queue = queueOf('beyond', 'beyond', 'back')
  expect(queue.next((step) => step === 'back')).toBe('back')
  queue.arrive()
  expect(queue.next(always)).toBeUndefined()
})

test('pending steps are dropped, also where something else leads to another place', () => {
  const queue = queueOf('a', 'b')
  queue.next(always)
  queue.drop()
  expect(queue.next(always)).toBeUndefined()
  queue.add('c')
  queue.arrive()
  expect(queue.next(always)).toBeUndefined()
  queue.add('d')
  expect(queue.next(always)).toBe('d')
})
