import { expect, newName, test } from './app.ts'
import { addNotes } from './sample-data.ts'

const app = /\/static\/js\/index\.\w+\.js$/
const ofPage = /\/static\/(?:js|css)\/async\//

test('the scripts and styles of a page are requested before the app has loaded, and only once', async ({
  page,
  client,
}) => {
  const notes = newName('preloaded')
  const [id] = await addNotes(client, notes, 1)
  for (const [address, shown] of [
    ['/', 'Datasets'],
    ['/view?page=0', 'Views'],
    [`/dataset/${notes}`, notes],
    [`/dataset/${notes}/item/`, notes],
    [`/dataset/${notes}/item/${id}`, 'note 1'],
  ] as const) {
    const asked: string[] = []
    page.removeAllListeners('request')
    page.on('request', (request) => asked.push(request.url()))
    const { promise: isReleased, resolve: release } = Promise.withResolvers<void>()
    await page.unrouteAll()
    await page.route(app, async (route) => {
      await isReleased
      await route.continue()
    })

    await page.goto(address, { waitUntil: 'commit' })
    const early = () => asked.filter((url) => ofPage.test(url))
    await expect.poll(early, address).not.toEqual([])
    release()
    await expect(page.getByRole('heading', { level: 1 })).toContainText(shown)
    expect(new Set(early()).size, address).toBe(early().length)
  }
})
