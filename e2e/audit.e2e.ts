import { expect, newName, signedOut, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'
import { looks, wear } from './looks.ts'
import { addNotes } from './sample-data.ts'
import { sidewaysOverflow } from './sideways-overflow.ts'
import { signIn } from './sign-in.ts'

test(
  'an administrator reads the audit log, filters it by the address, and checks its chain',
  { tag: '@core' },
  async ({ page, client }) => {
    const notes = newName('notes').padEnd(128, '-long')
    await addNotes(client, notes, 1)
    await client.repoDelete({ datasetId: notes })
    await page.goto('/dataset/')
    await page.getByRole('link', { name: 'Audit' }).click()
    const log = page.getByRole('table', { name: 'Audit log' })
    await expect(log.getByRole('row').filter({ hasText: notes })).toHaveCount(2)

    await page.getByRole('searchbox', { name: 'Dataset' }).fill(notes)
    await page.getByRole('combobox', { name: 'What' }).selectOption('deleted the dataset')
    await expect(log.getByRole('row')).toHaveCount(2)
    await expect(page).toHaveURL(/what=dataset-deleted/)
    await expect(page).toHaveURL(new RegExp(`dataset=${notes}`))
    await page.reload()
    await expect(log.getByRole('row').nth(1)).toContainText(/admin.*deleted the dataset/)
    const saved = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Export' }).click()
    expect((await saved).suggestedFilename()).toBe('audit.ndjson')

    await page.getByRole('button', { name: 'Check the chain' }).press('Enter')
    await expect(page.getByText(/entries follow from the first one on/)).toBeVisible()
    await expect(page.getByText(/^Signed by .*\/api\/audit\.[0-9a-f]{10}\/log\.$/)).toBeVisible()
    await expect(page.getByText(/No earlier state was verified here/)).toBeVisible()
    await page.getByRole('button', { name: 'Check the chain' }).press('Enter')
    await expect(page.getByText(/The log goes on from the state with \d+ entries/)).toBeVisible()
    for (const look of looks) {
      const save = await wear(page, look)
      await save('audit')
    }
    await page.setViewportSize({ width: 320, height: 800 })
    expect(await sidewaysOverflow(page)).toBe(0)
    await expectAccessible(page, 'the audit log')
    await page.getByRole('searchbox', { name: 'Who' }).fill('nobody')
    await expect(page.getByText('No entry is like that.')).toBeVisible()
    await page.getByRole('button', { name: 'Show all entries' }).click()
    await expect(page).toHaveURL(/audit$/)
    await expect(log.getByRole('row').nth(2)).toBeVisible()
  },
)

test('the page of a dataset shows what was done to it', async ({ page, client }) => {
  const notes = newName('notes')
  await addNotes(client, notes, 1)
  const { schema } = await client.datasetGet({ datasetId: notes })
  await client.repoExtend({
    datasetId: notes,
    body: { name: notes, description: 'some notes', schema },
  })
  await page.goto(`/dataset/${notes}`)
  const history = page.getByRole('region', { name: 'History' })
  await expect(history.getByRole('listitem')).toHaveText([
    /admin extended it changes: new description$/,
    /admin made it$/,
  ])
})

test.describe('users who are no administrators', () => {
  test.use(signedOut)

  test('have no link to the audit log, and do not see it', async ({ page, launch }) => {
    const server = await launch({ VITRINE_ADMINS: 'somebody' })
    await signIn(page, server.url)
    await page.goto(`${server.url}/dataset/`)
    await expect(page.getByText('You do not have any records yet.')).toBeVisible()
    await expect(page.getByRole('link', { name: 'Audit' })).toHaveCount(0)
    await page.goto(`${server.url}/audit`)
    await expect(page.getByText('for administrators of this installation')).toBeVisible()
  })
})

test('a filter of the audit log keeps characters typed while an earlier value takes effect', async ({
  page,
}) => {
  await page.goto('/audit')
  const who = page.getByRole('searchbox', { name: 'Who' })
  await who.focus()
  // The second key comes after the pause, and before the screen is rendered for the first one.
  const values = await who.evaluate(async (input: HTMLInputElement) => {
    const { set } = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')!
    const type = (text: string) => {
      set!.call(input, text)
      input.dispatchEvent(new InputEvent('input', { bubbles: true }))
    }
    const first = Promise.withResolvers<void>()
    const { replaceState } = history
    history.replaceState = (...entry) => {
      history.replaceState = replaceState
      replaceState.apply(history, entry)
      type('ad')
      first.resolve()
    }
    type('a')
    await first.promise
    const shown = new Set<string>()
    while (!location.search.includes('who=ad')) {
      shown.add(input.value)
      await new Promise(requestAnimationFrame)
    }
    return [...shown, input.value]
  })
  expect(new Set(values)).toEqual(new Set(['ad']))
})
