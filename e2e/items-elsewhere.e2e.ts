import { expect, signedOut, test } from './app.ts'
import { addOnePhoto } from './sample-data.ts'
import { clientOf, signIn } from './sign-in.ts'

test.use(signedOut)

test('content that takes long says loading..., a failure is logged, and a count may end early', async ({
  page,
  launchOther,
  console,
}) => {
  const other = await launchOther()
  await signIn(page, other.url)
  const client = await clientOf(page)
  const { id } = await addOnePhoto(client, { people: 'people', photos: 'photos' })
  const call = `GET /api/dataset/photos/item/${id}/image`

  const { promise: held, resolve: answer } = Promise.withResolvers<void>()
  other.alter(call, async () => {
    await held
    return { status: 500, body: '' }
  })
  await page.goto(`${other.url}/dataset/photos/item/${id}`)
  const image = page.getByRole('figure')
  await expect(image.getByText('loading...')).toBeVisible()

  console.expect(/status of 500/, /content of an item could not be loaded/)
  const logged = page.waitForEvent('console', (message) =>
    message.text().includes('content of an item could not be loaded'),
  )
  answer()
  await logged
  await expect(image.getByRole('alert')).toContainText('unknown error')
  other.restore()
  await image.getByRole('button', { name: 'Retry' }).click()
  await expect(image.getByRole('img', { name: 'image' })).toBeVisible()

  // A server that has many items may end its counting early.
  other.alter('GET /api/dataset/photos/count', (reply) => ({
    ...reply,
    body: JSON.stringify({ totalItems: 10_000, exact: false }),
  }))
  await page.goto(`${other.url}/dataset/photos/item?order=title`)
  await expect(page.getByText('more than 10,000 items', { exact: true })).toBeVisible()
  await expect(page.getByText('Morning by the lake')).toBeVisible()
})
