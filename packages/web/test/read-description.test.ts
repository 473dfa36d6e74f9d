import { describe, expect, test } from 'vitest'
import { clauseText } from '../src/describe/preview/clause-text.ts'
import { readDescription } from '../src/describe/preview/use-preview.ts'
import { photoLookup } from './photo-lookup.ts'

const stateOf = async (text: string) => (await readDescription(text, photoLookup)).state

describe('reading a description for the preview finds', () => {
  test.each(['', '---', '---\nname: cats', 'base:', 'name:\nwhere: { a: { eq: 1 } }'])(
    'nothing yet in %j',
    async (text) => {
      expect(await stateOf(text)).toBe('empty')
    },
  )

  test.each([
    'base: [photos',
    'base: nowhere',
    'base: photos\nwhere: { titel: { eq: a } }',
    'base: photos\nlimit: 0',
    'base: 5',
  ])('a problem in %j', async (text) => {
    expect(await stateOf(text)).toBe('wrong')
  })

  test.each(['', 'name:\n', 'name: not a name\n', 'name: cats\n', 'name: photos\n'])(
    'a view, whatever its name: %j',
    async (name) => {
      const text = `${name}base: photos\nwhere: { title: { eq: a } }`
      const reading = await readDescription(text, photoLookup)
      expect(reading).toMatchObject({
        state: 'view',
        base: 'photos',
        body: { name: 'not-photos', base: 'photos', where: { title: { eq: 'a' } } },
      })
      if (reading.state !== 'view') return
      const { from } = reading.place({ path: ['where', 'title'], reason: '', atKey: true })
      expect(text.slice(from)).toMatch(/^title: /)
    },
  )
})

test('a step of the funnel is named as it would be written', () => {
  const description = {
    base: 'photos',
    where: { any: [{ title: { in: ['a', 'b: c'] } }], title: { eq: 'x' } },
    limit: 5,
  }
  expect(
    [['base'], ['where', 'any'], ['where', 'title'], ['where', 'any', 0, 'title'], ['limit']].map(
      (at) => clauseText(description, at),
    ),
  ).toEqual([
    'photos',
    'any: [ { title: { in: [ a, "b: c" ] } } ]',
    'title: { eq: x }',
    'title: { in: [ a, "b: c" ] }',
    'limit: 5',
  ])
})
