import type { DatasetInfo, FieldSummary, ShownField } from '@vitrine/contract'
import { describe, expect, test } from 'vitest'
import { axisOf, boundTicks, measuredBy, numberDivisor } from '../src/pages/Items/Plot/axis.ts'
import { extentOf, isPlace } from '../src/pages/Items/Plot/map-plot.ts'
import { meansByName, meansOverTime } from '../src/pages/Items/Plot/group-means.ts'
import { placeFields, plotChoice } from '../src/pages/Items/Plot/plot-choice.ts'
import { valueBars } from '../src/pages/Items/Plot/column-plot.ts'

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

describe('the column and mark of a plot', () => {
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

  test('are a text column if there is no other, and nothing for JSON and files', () => {
    expect(chosen('', ['note', 'facts'])).toEqual(['note', 'bars'])
    expect(chosen('', ['facts', 'image'])).toBeUndefined()
  })
})

describe('the bounds that are shown below bins', () => {
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

  test('share the shortest format that fits them all', () => {
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

  test('are left out where a bin is open, and have exponents if they are extreme', () => {
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
    expect(bars({}).map(({ name, valueText, isDrawn }) => [name, valueText, isDrawn])).toEqual([
      ['a', '30', true],
      ['(empty)', '20', true],
      ['10 others', '50', true],
    ])
    expect(bars({ present: 50 })).toHaveLength(2)
    expect(bars({ present: 1000 })[2]).toMatchObject({
      valueText: '950, too many for a bar',
      isDrawn: false,
    })
    expect(bars({ estimated: true })[2]).toMatchObject({
      name: 'about 10 others',
      valueText: '≤ 50',
    })
  })

  test('fade beside what is chosen', () => {
    expect(bars({}, ({ text }) => text === 'a').map(({ look }) => look)).toEqual([
      undefined,
      'faded',
      'rest',
    ])
  })
})

describe('two columns', () => {
  const columns: Record<string, string> = { ...fields, lon: 'number', startLat: 'number' }
  const chosenOf = (search: string) => {
    const schema = Object.entries(columns).map(([name, type]) => ({ name, type }))
    const choice = plotChoice({ schema } as DatasetInfo, new URLSearchParams(search))!
    return [choice.x.name, choice.y?.name, choice.mark]
  }
  test.each([
    ['', ['lon', 'startLat', 'map']],
    ['x=startLat&y=lon', ['startLat', 'lon', 'map']],
    ['x=lon&y=startLat&mark=dots', ['lon', 'startLat', 'dots']],
    ['x=lon', ['lon', undefined, 'bars']],
    ['x=lon&y=people', ['lon', 'people', 'dots']],
    ['x=founded&y=people', ['founded', 'people', 'lines']],
    ['x=founded&y=people&mark=dots', ['founded', 'people', 'dots']],
    ['x=people&y=founded', ['people', 'founded', 'dots']],
    ['x=note&y=people', ['note', 'people', 'bars']],
    ['x=note&y=founded', ['note', undefined, 'bars']],
    ['x=people&y=note', ['people', undefined, 'bars']],
    ['x=people&y=people', ['people', undefined, 'bars']],
  ])('%s', (search, expected) => {
    expect(chosenOf(search)).toEqual(expected)
  })

  test.each([
    [['lon', 'lat'], true],
    [['LNG', 'Latitude'], true],
    [['from_longitude', 'fromLat'], true],
    [['along', 'flat'], false],
    [['lon', 'population'], false],
  ])('are a place by their names: %j', (names, isPlace) => {
    const found = placeFields(names.map((name) => ({ name, type: 'number' })))
    expect(found !== undefined).toBe(isPlace)
    expect(placeFields(names.map((name) => ({ name, type: 'string' })))).toBeUndefined()
  })
})

describe('means', () => {
  test('by name are ordered by count, and do not overflow', () => {
    expect(
      meansByName([
        ['a', 1],
        ['b', 2],
        ['b', 4],
      ]),
    ).toEqual([
      { key: 'b', mean: 3, count: 2 },
      { key: 'a', mean: 1, count: 1 },
    ])
    expect(
      meansByName([
        ['a', 1.7e308],
        ['a', 1.7e308],
      ])[0]!.mean,
    ).toBe(1.7e308)
  })

  test('over time, by the shortest span of which there are few enough', () => {
    const at = (text: string, value: number) => [new Date(text), value] as const
    const from = (key: string, end: string) => ({ key: new Date(key), end: new Date(end) })
    const moments = [
      at('2001-02-03T04:05:06Z', 1),
      at('2001-02-03T04:05:07Z', 3),
      at('0001-01-01', 9),
    ]
    expect(meansOverTime(moments, 3)).toEqual({
      means: [
        { ...from('0001-01-01T00:00:00Z', '0001-01-01T00:00:00.001Z'), mean: 9, count: 1 },
        { ...from('2001-02-03T04:05:06Z', '2001-02-03T04:05:06.001Z'), mean: 1, count: 1 },
        { ...from('2001-02-03T04:05:07Z', '2001-02-03T04:05:07.001Z'), mean: 3, count: 1 },
      ],
    })
    const { span, means } = meansOverTime(moments, 2)
    expect(span).toBe('minute')
    expect(means.at(-1)).toEqual({
      ...from('2001-02-03T04:05:00Z', '2001-02-03T04:06:00Z'),
      mean: 2,
      count: 2,
    })
    const days = Array.from({ length: 400 }, (_, day) => [new Date(day * 86_400_000), day] as const)
    const months = meansOverTime(days, 200)
    expect(months).toMatchObject({ span: 'month', means: { length: 14 } })
    expect(months.means.at(-1)).toMatchObject(from('1971-02-01', '1971-03-01'))
    expect(meansOverTime([at('0001-01-01', 1), at('9999-12-31', 2)], 1).span).toBe('century')
  })
})

test('numbers are drawn in a unit in which their span is a number with ticks', () => {
  expect(numberDivisor([1, 1e17])).toBe(1)
  const far = numberDivisor([-1.7e308, 1.7e308])
  expect(Number.isFinite(1.7e308 / far + 1.7e308 / far)).toBe(true)
  expect(1e-320 / numberDivisor([1e-320, 5e-320])).toBeGreaterThan(1e-30)
  expect(numberDivisor([0])).toBeGreaterThan(0)
})

describe('a map', () => {
  test('shows the area around its places, and the whole earth if they are missing or far apart', () => {
    expect(extentOf([])).toBeUndefined()
    expect(
      extentOf([
        { x: -120, y: 0 },
        { x: 100, y: 1 },
      ]),
    ).toBeUndefined()
    expect(extentOf([{ x: 5, y: 89 }])).toEqual({ west: 0, east: 10, south: 84, north: 90 })
  })

  test('has no places beyond the poles', () => {
    const places = [
      [181, 0],
      [361, 0],
      [0, 91],
      [-180, -90],
    ].map(([x = 0, y = 0]) => ({ x, y }))
    expect(places.map(isPlace)).toEqual([true, false, false, true])
  })
})

test('durations are drawn in the unit in which there are two of the longest', () => {
  const field: ShownField = { name: 'took', type: 'duration' }
  const axis = axisOf(field, ['PT10M', 'PT2H'])
  expect(axis.label).toBe('took (h)')
  expect(axis.read('PT90M')).toBe(1.5)
  expect(axis.text(1.5)).toBe('1.5')
  expect(axisOf(field, ['-PT119M']).label).toBe('took (min)')
  expect(axisOf(field, ['PT0S']).label).toBe('took (µs)')
  expect(measuredBy(field, ['P4D']).text(129_600_000_000)).toBe('1.5 d')
})
