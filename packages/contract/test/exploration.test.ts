import { describe, expect, test } from 'vitest'
import { check, exploration, queryText, type Exploration } from '../src/index.ts'

/** The problems of a query, each as `place: reason`. */
function problemsOf(query: Record<string, string>): string[] {
  const checked = check(exploration, query)
  return checked.ok
    ? []
    : checked.problems.map(({ path, reason }) => `${path.join('.')}: ${reason}`)
}

describe('an exploration in a query string', () => {
  test.each<Exploration>([
    {},
    { where: { title: { icontains: 'a, b & "c"' } } },
    { where: { any: [{ 'by.country': { in: ['NZ', 'AU'] } }, { not: { id: { gt: 3 } } }] } },
    { order: ['-createdAt', 'by.name'] },
    { where: { image: { bytes: { lt: 10 } } }, order: ['title'] },
    { q: ' Crème "brûlée" 🐈 ' },
    { q: '', order: ['title'] },
  ])('is read back as it was written: %j', (asked) => {
    const query = Object.fromEntries(
      Object.entries(asked).map(([key, value]) => [key, queryText(value)]),
    )
    expect(check(exploration, query)).toEqual({ ok: true, value: asked })
  })

  test.each([
    [{ where: '{' }, ['where: must be a condition as JSON']],
    [{ where: '[]' }, [expect.stringMatching(/^where: must be a mapping of fields/)]],
    [
      { where: '{"title":{"contians":"a"}}' },
      [expect.stringMatching(/^where\.title\.contians: unknown operator .* "contains"\?/)],
    ],
    [
      { where: '{"any":[{"a..b":{"eq":1}}]}' },
      [expect.stringMatching(/^where\.any\.0\.a\.\.b: .* no field/)],
    ],
    [{ order: '' }, [expect.stringMatching(/^order\.0: .* no field/)]],
    [{ order: 'title,-title' }, ['order.1: the field "title" is there twice']],
    [{ were: '{}' }, ['were: unknown key "were"']],
    [{ q: 'x'.repeat(201) }, ['q: must be at most 200 characters']],
    [{ q: 'a\0b' }, ['q: must be text without NUL and lone surrogates']],
  ])('is refused with its place: %j', (query, problems) => {
    expect(problemsOf(query as Record<string, string>)).toEqual(problems)
  })
})
