import { basename } from 'node:path'
import type { Measurement } from './measurement.ts'
import { openSignedInBrowser } from './signed-in-browser.ts'

const kB = 1000

/** The scripts that a browser fetches, as they travel, until the Datasets table shows. */
export const bundle: Measurement = {
  name: 'bundle',
  engines: ['sqlite'],
  run: async (opened) => {
    const { server, page } = opened.use(await openSignedInBrowser())
    await page.setCacheEnabled(false)
    const devTools = await page.createCDPSession()
    await devTools.send('Network.enable')
    const scripts = new Map<string, string>()
    const bytes = new Map<string, number>()
    devTools.on('Network.responseReceived', ({ requestId, type, response }) => {
      if (type === 'Script') scripts.set(requestId, basename(new URL(response.url).pathname))
    })
    devTools.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
      bytes.set(requestId, encodedDataLength)
    })
    await page.goto(`${server.url}/dataset`)
    await page.locator('tbody tr a').wait()

    const fetched = [...scripts].map(([id, name]) => ({ name, size: (bytes.get(id) ?? 0) / kB }))
    const total = fetched.reduce((sum, { size }) => sum + size, 0)
    return [
      {
        what: 'scripts of the first screen, compressed',
        value: total,
        unit: 'kB',
        goal: { atMost: 180 },
      },
      ...fetched.map(({ name, size }) => ({ what: `  ${name}`, value: size, unit: 'kB' })),
    ]
  },
}
