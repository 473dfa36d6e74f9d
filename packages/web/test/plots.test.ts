import type { DatasetInfo, FieldSummary } from '@vitrine/contract'
import { describe, expect, test } from 'vitest'
import { boundTicks } from '../src/pages/Items/Plot/bound-ticks.ts'
import { plotChoice } from '../src/pages/Items/Plot/plot-choice.ts'
import { valueBars } from '../src/pages/Items/Plot/value-bars.ts'

const fields: Record<string, string> = {
  note: 'string',
  facts: 'json',
  people: 'integer',
  founded: 'date',
  image: 'binary',
}

function chosen(search: string, names = Object.keys(fields)) {
  const schema = names.map((name) => ({ name, type: fields[name]! }))
  const choice = plotChoice({ schema } as DatasetInfo, new URLSearchParams(search))
  return choice && [choice.x.name, choice.mark]
}

describe('what is plotted', () => {
  test.each([
    ['', ['people', 'bars']],
    ['x=note', ['note', 'bars']],
    ['x=founded', ['founded', 'lines']],
    ['x=founded&mark=bars', ['founded', 'bars']],
    ['x=people&mark=lines', ['people', 'bars']],
    ['x=facts', ['people', 'bars']],
    ['x=image&mark=what', ['people', 'bars']],
  ])('%s', (search, expected) => {
    expect(chosen(search)).toEqual(expected)
  })

  test('a text where there is nothing else, and nothing of what has no plot', () => {
    expect(chosen('', ['note', 'facts'])).toEqual(['note', 'bars'])
    expect(chosen('', ['facts', 'image'])).toBeUndefined()
  })
})

describe('the bounds that are told below bins', () => {
  const texts = (bounds: (string | number | undefined)[], width: number) => {
    const bins = bounds.slice(1).map((to, index) => ({
      ...(bounds[index] !== undefined && { from: bounds[index] }),
      ...(to !== undefined && { to }),
      count: 1,
    }))
    return [...boundTicks(bins, width)]
  }

  test('have room beside each other', () => {
    const bounds = Array.from({ length: 41 }, (_, index) => index * 1_000_000)
    expect(texts(bounds, 1000).length).toBeGreaterThan(8)
    expect(texts(bounds, 200).length).toBeLessThan(7)
    expect(texts([0, 1000, 2000], 400)).toEqual([
      [0, '0'],
      [1, '1K'],
      [2, '2K'],
    ])
  })

  test('are as short as all of them can be', () => {
    expect(texts(['0001-01-01', '2001-01-01'], 400).map(([, text]) => text)).toEqual([
      '0001',
      '2001',
    ])
    expect(texts(['2001-01-01', '2001-02-01'], 400)[0]).toEqual([0, '2001-01'])
    expect(texts(['2001-01-01T00:00:00Z', '2001-01-02T00:00:00Z'], 400)[1]).toEqual([
      1,
      '2001-01-02',
    ])
    expect(texts(['2001-01-01T10:00:00Z', '2001-01-01T11:00:00Z'], 600)[0]).toEqual([
      0,
      '2001-01-01 10:00:00',
    ])
  })

  test('are left out where a bin has none, and told in powers where they are far', () => {
    expect(texts([undefined, '9000-01-01', undefined], 400)).toEqual([[1, '9000']])
    expect(texts([-1e308, 1e-320], 900)).toEqual([
      [0, '-1E308'],
      [1, '1E-320'],
    ])
  })
})

describe('bars of values', () => {
  const summary = { present: 100, distinct: 12 } as FieldSummary
  const marks = [
    { text: 'a', count: 30, comparison: { eq: 'a' } },
    { text: ' ', count: 20, comparison: { eq: ' ' } },
  ]
  const bars = (
    of: Partial<FieldSummary>,
    isPressed: (mark: { text: string }) => boolean = () => false,
  ) => valueBars({ ...summary, ...of }, marks, isPressed)

  test('end with all others, as long as it leaves the others a length', () => {
    expect(bars({}).map(({ name, told, isDrawn }) => [name, told, isDrawn])).toEqual([
      ['a', '30', true],
      ['(empty)', '20', true],
      ['10 others', '50', true],
    ])
    expect(bars({ present: 50 })).toHaveLength(2)
    expect(bars({ present: 1000 })[2]).toMatchObject({
      told: '950, too many for a bar',
      isDrawn: false,
    })
    expect(bars({ estimated: true })[2]).toMatchObject({ name: 'about 10 others', told: '≤ 50' })
  })

  test('fade beside what is chosen', () => {
    expect(bars({}, ({ text }) => text === 'a').map(({ look }) => look)).toEqual([
      undefined,
      'faded',
      'rest',
    ])
  })
})
