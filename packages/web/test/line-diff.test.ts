import { describe, expect, test } from 'vitest'
import { canonicalYaml } from '../src/describe/canonical-yaml.ts'
import { lineDiff } from '../src/describe/line-diff.ts'

/** A difference as text: `=`, `-` or `+` before each line. */
function shown(before: string, after: string): string[] {
  const signs = { same: '=', removed: '-', added: '+' }
  return lineDiff(before, after).map(({ kind, text }) => signs[kind] + text)
}

describe('the difference of two texts', () => {
  test('lines that are in both stay, in order', () => {
    expect(shown('a\nb\nc\nd', 'a\nx\nc\ny\nd')).toEqual(['=a', '-b', '+x', '=c', '+y', '=d'])
  })

  test('the longest common part is kept', () => {
    expect(shown('x\na\nb\nc', 'a\nb\nc\nx')).toEqual(['-x', '=a', '=b', '=c', '+x'])
  })

  test('equal texts, and texts that share nothing', () => {
    expect(shown('a\nb', 'a\nb')).toEqual(['=a', '=b'])
    expect(shown('a', 'b\nc')).toEqual(['-a', '+b', '+c'])
  })

  test('either text can be made from it, and its lines are numbered', () => {
    const [before, after] = ['a\nb\na\nb\nc', 'b\na\nc\nb\na']
    const diff = lineDiff(before, after)
    const side = (other: string) =>
      diff
        .filter(({ kind }) => kind !== other)
        .map(({ text }) => text)
        .join('\n')
    expect(side('added')).toBe(before)
    expect(side('removed')).toBe(after)
    expect(diff.map(({ number }) => number)).toEqual(diff.map((_, index) => index + 1))
  })
})

test('definitions that say the same are the same text, whatever the order of their keys', () => {
  const one = { name: 'a', schema: [{ type: 'string', name: 't', length: 3 }], zeta: 1, alpha: 2 }
  const other = { alpha: 2, zeta: 1, schema: [{ length: 3, name: 't', type: 'string' }], name: 'a' }
  expect(canonicalYaml(one)).toBe(canonicalYaml(other))
  expect(canonicalYaml(one).split('\n')).toEqual([
    'name: a',
    'schema:',
    '  - name: t',
    '    type: string',
    '    length: 3',
    'alpha: 2',
    'zeta: 1',
  ])
})
