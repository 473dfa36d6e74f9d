import { expect, test } from 'vitest'
import { ScreenCommands } from '../src/palette/screen-commands.ts'

test('commands stand in the order in which parts of the screen first announced some', () => {
  const commands = new ScreenCommands()
  const labels = () => commands.snapshot().map(({ label }) => label)
  commands.announce('header', [])
  commands.announce('table', [{ label: 'Columns', to: '/columns' }])
  commands.announce('header', [{ label: 'Edit', to: '/edit' }])
  expect(labels()).toEqual(['Edit', 'Columns'])
  commands.withdraw('header')
  expect(labels()).toEqual(['Columns'])
})

test('a snapshot stays the same until commands change, and subscribers hear of that', () => {
  const commands = new ScreenCommands()
  let changes = 0
  const unsubscribe = commands.subscribe(() => {
    changes += 1
  })
  const before = commands.snapshot()
  expect(commands.snapshot()).toBe(before)
  commands.announce('header', [{ label: 'Edit', to: '/edit' }])
  expect(changes).toBe(1)
  expect(commands.snapshot()).not.toBe(before)
  expect(commands.snapshot()).toBe(commands.snapshot())
  unsubscribe()
  commands.withdraw('header')
  expect(changes).toBe(1)
})
