import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Installation, openInstallation, startBareServer } from './installation.ts'

let here: Installation

beforeAll(async () => {
  here = await openInstallation()
  await here.login()
  const schema = [
    'name: cats',
    'schema:',
    '  - { name: name, type: string, length: 20 }',
    '  - { name: age, type: integer, optional: true }',
  ]
  await here.run(['create', '-f', here.write('cats.yaml', schema.join('\n'))])
  await here.run(['add', 'cats', 'name=Tim', 'age=4'])
})
afterAll(() => here.close())

test('an item is corrected, withdrawn and brought back', async () => {
  const correction = ['correct', 'cats', '1', 'name=Tom', '--reason', 'a typing error']
  expect(await here.run(correction)).toEqual({
    code: 0,
    stdout: 'Item 1 of cats is replaced by item 2.\n',
    stderr: '',
  })
  expect(await here.run(['withdraw', 'cats', '2', '--reason', 'added twice'])).toMatchObject({
    code: 0,
    stdout: 'Item 2 of cats is withdrawn by item 3.\n',
  })
  const withoutAge = ['correct', 'cats', '3', '--without', 'age', '--reason', 'it is ours']
  expect(await here.json(withoutAge)).toEqual([{ id: 4 }])
  const { stdout } = await here.run(['show', 'cats', '2'])
  expect(stdout).toMatch(/^corrects +item 1 \(a typing error\)$/m)
  expect(stdout).toMatch(/^withdrawn by +item 3 \(added twice\)$/m)
  expect(stdout).toMatch(/^latest version +item 4, corrected$/m)
  const { stdout: changes } = await here.run(['diff', 'cats@1'])
  expect(changes.split('\n').map((line) => line.split('\t').slice(0, 2))).toEqual([
    ['corrects 1', '2'],
    ['withdraws 2', '3'],
    ['corrects 3', '4'],
    [''],
  ])
  expect((await here.run(['show', 'cats@1', '1'])).stdout).not.toContain('replaced')
  expect(await here.json(['show', 'cats', '4'])).toMatchObject([
    { data: { name: 'Tom' }, versions: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 4 }] },
  ])
})

test('a server that does not know current items is not asked for them', async () => {
  await using other = await startBareServer()
  const { code, stderr } = await here.run(['ls', 'cats', '--current', '--server', other.url])
  expect([code, stderr]).toEqual([1, expect.stringContaining('takes no --current.')])
})

test('the current items alone are listed, summed up and exported, at any state', async () => {
  const idsOf = async (words: string[]) => {
    const { stdout } = await here.run(words)
    return stdout
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id)
  }
  expect(await idsOf(['ls', 'cats', '--current', '--json'])).toEqual([4])
  expect(await idsOf(['ls', 'cats@2', '--current', '--json'])).toEqual([2])
  expect(await idsOf(['export', 'cats@2', '--current'])).toEqual([2])
  expect(await idsOf(['export', 'cats@1', '--current'])).toEqual([1])
  const [summary] = await here.json(['summary', 'cats', '--current'])
  expect(summary).toMatchObject({ items: 1, exact: true })
  expect(await here.run(['ls', '--current'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--current are for the items of a dataset') as string,
  })
})

test.each([
  ['no reason', ['correct', 'cats', '4', 'name=Tim'], 2, '--reason'],
  ['a blank reason', ['withdraw', 'cats', '4', '--reason', ' '], 2, '--reason'],
  ['no id', ['withdraw', 'cats', 'Tom', '--reason', 'x'], 2, 'by its id'],
  [
    'a value twice',
    ['correct', 'cats', '4', 'age=1', '--without', 'age', '--reason', 'x'],
    2,
    'age',
  ],
  ['an unknown field', ['correct', 'cats', '4', 'nam=Tim', '--reason', 'x'], 4, 'no field nam'],
  ['no change', ['correct', 'cats', '4', '--reason', 'x'], 6, 'no value is another one'],
  ['a required field', ['correct', 'cats', '4', '--without', 'name', '--reason', 'x'], 6, 'name'],
  ['no such item', ['correct', 'cats', '9', 'name=Tim', '--reason', 'x'], 4, 'not found'],
  ['one that was replaced', ['withdraw', 'cats', '1', '--reason', 'x'], 5, 'was replaced'],
])('nothing is corrected: %s', async (_, words, code, text) => {
  const result = await here.run(words)
  expect(result).toMatchObject({ code, stderr: expect.stringContaining(text) as string })
  const items = await here.run(['ls', 'cats'])
  expect(items.stdout.trim().split('\n')).toHaveLength(4)
})
