import { expect, test } from 'vitest'
import {
  chosenColumns,
  noChoice,
  withMoved,
  withPinned,
  withShown,
  withWidth,
  type ColumnChoice,
} from '../src/pages/Items/Columns/column-choice.ts'
import { createKeptColumns } from '../src/pages/Items/Columns/use-columns.ts'
import { memoryStorage } from './memory-storage.ts'

const schema = ['name', 'country', 'people', 'flag'].map((name) => ({ name }))

/** The names in their order: `(name)` is hidden, `*name` pinned. */
function columns(choice: ColumnChoice, fields = schema): string {
  return chosenColumns(fields, choice)
    .map(({ field, isShown, isPinned }) => {
      const name = (isPinned ? '*' : '') + field.name
      return isShown ? name : `(${name})`
    })
    .join(' ')
}

test('without a choice the columns are those of the schema', () => {
  expect(columns(noChoice)).toBe('name country people flag')
})

test('fields are hidden, shown and moved', () => {
  const hidden = withShown(noChoice, 'people', false)
  expect(columns(hidden)).toBe('name country (people) flag')
  expect(withShown(hidden, 'people', true)).toEqual(noChoice)
  const moved = withMoved(schema, hidden, 'flag', -1)
  expect(columns(moved)).toBe('name country flag (people)')
  expect(columns(withMoved(schema, moved, 'name', 1))).toBe('country name flag (people)')
  expect(withMoved(schema, moved, 'name', -1)).toBe(moved)
  expect(withMoved(schema, moved, 'people', 1)).toBe(moved)
  expect(withMoved(schema, moved, 'gone', 1)).toBe(moved)
  // Back where it was, nothing is chosen any more.
  expect(withMoved(schema, moved, 'flag', 1)).toEqual(hidden)
})

test('pinned fields stand first, in their order, and go back to their places', () => {
  const one = withPinned(noChoice, 'people', true)
  expect(columns(one)).toBe('*people name country flag')
  const two = withPinned(one, 'name', true)
  expect(columns(two)).toBe('*name *people country flag')
  expect(columns(withMoved(schema, two, 'name', 1))).toBe('*people *name country flag')
  expect(withMoved(schema, two, 'people', 1)).toBe(two)
  expect(withMoved(schema, two, 'country', -1)).toBe(two)
  expect(withPinned(withPinned(two, 'name', false), 'people', false)).toEqual(noChoice)
})

test('a field that is gone is passed over, and a new one is shown last', () => {
  const chosen = withMoved(schema, withShown(noChoice, 'name', false), 'flag', -1)
  const other = ['name', 'capital', 'people', 'flag'].map((name) => ({ name }))
  expect(columns(chosen, other)).toBe('(name) flag people capital')
})

test('a column choice is stored per user and dataset, and removed once it is empty', () => {
  const storage = memoryStorage()
  const kept = createKeptColumns(storage, 'ada', 'cities')
  expect(kept.read()).toEqual(noChoice)
  const choice = withWidth(
    withMoved(schema, withPinned(noChoice, 'flag', true), 'name', 1),
    'name',
    90,
  )
  kept.write(choice)
  expect(createKeptColumns(storage, 'ada', 'cities').read()).toEqual(choice)
  expect(createKeptColumns(storage, 'frances', 'cities').read()).toEqual(noChoice)
  expect(createKeptColumns(storage, 'ada', 'countries').read()).toEqual(noChoice)
  kept.write(withWidth({ ...noChoice, widths: choice.widths }, 'name', undefined))
  expect(storage.length).toBe(0)
})

test('a malformed stored column choice is ignored', () => {
  const storage = memoryStorage()
  const key = 'vitrine.columns.ada cities'
  for (const text of ['[', 'null', '{"order": 1, "hidden": [2], "widths": {"name": "wide"}}']) {
    storage.setItem(key, text)
    expect(createKeptColumns(storage, 'ada', 'cities').read()).toEqual(noChoice)
  }
})
