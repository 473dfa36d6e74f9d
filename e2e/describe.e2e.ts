import { expect, newName, signedOut, test } from './app.ts'
import { editorOf, enterDescription } from './editor.ts'
import { addNotes } from './sample-data.ts'
import { clientOf, signIn } from './sign-in.ts'

test(
  'a repository is added by its description',
  { tag: '@core' },
  async ({ page, client, server }) => {
    const name = newName('books')
    await page.goto('/addrepo')
    await expect(page.getByRole('heading', { name: 'Add Repository' })).toBeVisible()
    await expect(page.getByText('Enter YAML repository description')).toBeVisible()
    await expect(editorOf(page)).toHaveText('---')

    await enterDescription(page, `---\nname: ${name}\nschema:\n- {name: title, type: string}\n`)
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByText('Request successful')).toBeVisible()
    expect((await client.datasetGet({ datasetId: name })).schema).toEqual([
      { name: 'title', type: 'string', length: 10_000 },
    ])

    // The same description again is no error and changes nothing.
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByText('Request successful')).toBeVisible()
    await page.getByRole('link', { name: `Open ${name}` }).click()
    await expect(page).toHaveURL(`${server.url}/dataset/${name}`)
    await page.getByRole('banner').getByRole('link', { name: 'Repos' }).click()
    await expect(page.getByRole('link', { name, exact: true })).toBeVisible()
  },
)

test(
  'a view is added by its description, and shows the items of its base',
  { tag: '@core' },
  async ({ page, client, server }) => {
    const notes = newName('notes')
    const name = newName('view')
    await addNotes(client, notes, 2)
    await page.goto('/addview')
    await expect(page.getByRole('heading', { name: 'Add View' })).toBeVisible()
    await expect(page.getByText('Enter YAML view description')).toBeVisible()
    await expect(editorOf(page)).toHaveText('---')
    await enterDescription(
      page,
      `---\nname: ${name}\nbase: ${notes}\nfields:\n- {name: caption, from: text}\n`,
    )
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByText('Request successful')).toBeVisible()
    await page.getByRole('link', { name: 'Show items' }).click()
    await expect(page).toHaveURL(`${server.url}/dataset/${name}/item`)
    await expect(page.getByRole('columnheader', { name: 'caption' })).toBeVisible()
    await expect(page.getByText('note 2', { exact: true })).toBeVisible()
    await page.getByRole('row', { name: 'note 1' }).getByRole('link', { name: 'show' }).click()
    await expect(page.getByRole('definition').filter({ hasText: 'note 1' })).toBeVisible()
  },
)

test(
  'a description that is wrong is not sent, and its place is told',
  { tag: '@core' },
  async ({ page }) => {
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().endsWith('/api/repo'))
        sent.push(request.url())
    })
    await page.goto('/addrepo')
    const alert = page.getByRole('alert')
    const submit = page.getByRole('button', { name: 'Submit' })
    for (const [text, told] of [
      ['---\nname: a\nname: b\n', /Line 3, column 1:.*(?:unique|twice|duplicate)/i],
      ['---\nname: [a\n', /Line \d+, column \d+:/],
      ['---\nname: a\nschemma: []\n', /Line 3, column 1:.*schemma.*/],
      [
        '---\nname: a\nschema:\n- { name: t, type: text }\n',
        /Line 4, column 20: unknown type "text"/,
      ],
      ['---\nname: ../x\nschema:\n- { name: t, type: string }\n', /Line 2, column 7:/],
      ['---\nname: &a x\nschema:\n- { name: *a, type: string }\n', /(?:alias|anchor)/],
      ['---\nname: a\n---\nname: b\n', /more than one document/],
    ] as const) {
      await enterDescription(page, text)
      await submit.click()
      await expect(alert).toContainText(told)
      await expect(page.getByText('Request successful')).toBeHidden()
    }
    // It stays until it is mended, and goes away then.
    await enterDescription(page, '---\nname: a\nschema:\n- { name: t, type: texts }\n')
    await expect(alert).toContainText(/more than one document/)
    await enterDescription(page, '---\nname: a\nschema:\n- { name: t, type: string }\n')
    await expect(alert).toHaveCount(0)
    expect(sent).toEqual([])
  },
)

test('a view clause that does not exist is refused with the one that was meant', async ({
  page,
}) => {
  await page.goto('/addview')
  await enterDescription(page, '---\nname: a\nbase: b\nwhree: {}\n')
  await page.getByRole('button', { name: 'Submit' }).click()
  await expect(page.getByRole('alert')).toContainText(/Line 4, column 1:.*whree.*where/)
})

test('a refusal by the server is shown until the refused part of the text is changed', async ({
  page,
  console,
  client,
}) => {
  console.expect(/status of 400/)
  const notes = newName('notes')
  await addNotes(client, notes)
  await page.goto('/addrepo')
  const name = newName('x')
  const referTo = (target: string) =>
    `---\nname: ${name}\nschema:\n- {name: a, type: reference, target: ${target}}\n`
  await enterDescription(page, referTo('no-such-one'))
  await page.getByRole('button', { name: 'Submit' }).click()
  const alert = page.getByRole('alert')
  await expect(alert).toContainText('got incorrect data in request')
  await expect(alert).toContainText('no-such-one')
  await expect(editorOf(page)).toContainText('no-such-one')

  // It stays while what was refused is there, and goes once that is another.
  await enterDescription(page, `${referTo('no-such-one')}# soon\n`)
  await expect(editorOf(page)).toContainText('soon')
  await expect(alert).toContainText('no-such-one')
  await enterDescription(page, referTo(notes))
  await expect(alert).toHaveCount(0)
})

test(
  'a name that is taken by another schema shows the difference',
  { tag: '@core' },
  async ({ page, client, console, server }) => {
    console.expect(/status of 409/)
    const notes = newName('notes')
    const view = newName('view')
    await addNotes(client, notes)
    await client.viewCreate({ body: { name: view, base: notes } })
    await page.goto('/addrepo')
    await enterDescription(
      page,
      `---\nname: ${notes}\nschema:\n- {name: picture, type: binary, mime: image/png}\n`,
    )
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByRole('alert')).toContainText(
      'a repository with the same name exists with a different schema',
    )
    const difference = page.getByRole('region', { name: 'Difference from the existing definition' })
    await expect(difference).toContainText('existing: ')
    await expect(difference).toContainText('name: text')
    await expect(difference).toContainText('name: picture')
    await expect(editorOf(page)).toContainText('name: picture')
    await difference.getByRole('link', { name: notes }).click()
    await expect(page).toHaveURL(`${server.url}/dataset/${notes}`)

    await page.goto('/addview')
    await enterDescription(page, `---\nname: ${view}\nbase: ${notes}\nfields: [text]\n`)
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByRole('alert')).toContainText(
      'a view with the same name exists with a different definition',
    )
  },
)

test('the editor underlines, suggests and submits by keyboard', async ({ page }) => {
  const name = newName('suggested')
  await page.goto('/addrepo')
  await editorOf(page).click()
  await page.keyboard.press('ControlOrMeta+End')
  await page.keyboard.type('\nna')
  // The editor ignores Enter for a moment, so that it is not taken for a choice by surprise.
  await page.getByRole('option', { name: 'name' }).click()
  await expect(editorOf(page)).toContainText('name: ')
  await page.keyboard.insertText(`${name}\n`)
  await page.keyboard.insertText('schema:\n- {name: a, type: strin}\n')
  await expect(page.getByRole('button', { name: /^Line 4, column/ })).toBeVisible()
  await enterDescription(page, `---\nname: ${name}\nschema:\n- {name: a, type: string}\n`)
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(page.getByText('Request successful')).toBeVisible()
})

test('line numbers stand beside their lines where motion is reduced', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto('/addrepo')
  await page.getByLabel('Choose data').setInputFiles({
    name: 'rows.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from('a,b,c,d\n1,2,3,4\n'),
  })
  await expect(page.locator('.cm-line')).toHaveCount(9)
  const tops = (selector: string) =>
    page
      .locator(selector)
      .evaluateAll((elements) => elements.map((each) => each.getBoundingClientRect().top))
  // The first of them is never seen: it makes room for the widest number.
  const numbers = (await tops('.cm-lineNumbers .cm-gutterElement')).slice(1)
  expect(numbers).toEqual(await tops('.cm-line'))
})

test('an example is there to begin with', async ({ page }) => {
  await page.goto('/addrepo')
  await page.getByRole('button', { name: 'Insert example' }).click()
  await expect(editorOf(page)).toContainText('name: photos')
})

test('a draft is kept across a reload and other pages', async ({ page }) => {
  const draft = `name: ${newName('draft')}`
  await page.goto('/addrepo')
  await enterDescription(page, `---\n${draft}\n`)
  page.on('dialog', (dialog) => void dialog.accept())
  await page.reload()
  await expect(editorOf(page)).toContainText(draft)
  await page.getByRole('banner').getByRole('link', { name: 'Datasets' }).click()
  await expect(page.getByRole('heading', { name: 'Datasets' })).toBeVisible()
  await page.goBack()
  await expect(editorOf(page)).toContainText(draft)
  await page.goto('/addview')
  await expect(editorOf(page)).toHaveText('---')
  await page.goto('/addrepo')
  await expect(page.getByText('Draft restored')).toBeVisible()
  await page.getByRole('button', { name: 'Discard' }).click()
  await expect(editorOf(page)).toHaveText('---')
  await page.reload()
  await expect(editorOf(page)).toHaveText('---')
})

test.describe('on another server', () => {
  test.use(signedOut)

  test('a submission that takes long says so, and its error is shown', async ({
    page,
    launchOther,
    console,
  }) => {
    console.expect(/status of (?:500|409)/)
    const other = await launchOther()
    await signIn(page, other.url)
    const client = await clientOf(page)
    await addNotes(client, 'notes')
    const { promise: held, resolve: answer } = Promise.withResolvers<void>()
    other.alter('POST /api/repo', async () => {
      await held
      return { status: 500, body: 'oops' }
    })
    await page.goto(`${other.url}/addrepo`)
    await enterDescription(page, '---\nname: books\nschema:\n- {name: a, type: string}\n')
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(
      page.getByRole('status').filter({ hasText: 'Adding the repository' }),
    ).toBeVisible()
    answer()
    await expect(page.getByRole('alert')).toContainText('unknown error')
    await expect(editorOf(page)).toContainText('name: books')

    // Another server may say nothing but the status of what it returns.
    other.alter('POST /api/repo', () => ({
      status: 409,
      body: JSON.stringify({ name: 'notes' }),
    }))
    await enterDescription(page, '---\nname: notes\nschema:\n- {name: b, type: string}\n')
    await page.getByRole('button', { name: 'Submit' }).click()
    await expect(page.getByRole('alert')).toContainText('same name exists')
    await expect(
      page.getByRole('region', { name: 'Difference from the existing definition' }),
    ).toContainText('name: text')
  })
})
