import { join } from 'node:path'
import { launch, type Page } from 'puppeteer-core'
import { findChromium } from '../tools/chromium.mjs'
import { loadDemo } from './load-demo.ts'
import { startServerProcess, type ServerProcess } from './server-process.ts'

const password = 'a password for the benchmark'

export type SignedInBrowser = AsyncDisposable & {
  server: ServerProcess
  /** A page of a browser in which somebody has signed in; the session is this page's alone. */
  page: Page
}

/**
 * The product as `npm start` runs it, and a page that a person has signed in with.
 * @param existing an installation with a dataset; a new one with the demo where none is given
 */
export async function openSignedInBrowser(existing?: {
  dataDir: string
  env: Record<string, string>
  dataset: string
}): Promise<SignedInBrowser> {
  const server = await startServerProcess({
    file: join(import.meta.dirname, '..', 'tools', 'serve.mjs'),
    env: { VITRINE_ADMIN_PASSWORD: password, ...existing?.env },
    ...(existing && { dataDir: existing.dataDir }),
  })
  const browser = await launch({
    executablePath: findChromium(),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
  const page = await browser.newPage()
  await page.goto(`${server.url}/dataset`)
  await page.locator('#username').fill('admin')
  await page.locator('#password').fill(password)
  await page.locator('button[type=submit]').click()
  const shown = existing?.dataset ?? 'You do not have any records yet.'
  await page.locator(`::-p-text(${shown})`).wait()
  if (existing === undefined) loadDemo(server.url, await accessToken(page))
  return {
    server,
    page,
    [Symbol.asyncDispose]: async () => {
      await browser.close()
      await server[Symbol.asyncDispose]()
    },
  }
}

function accessToken(page: Page): Promise<string> {
  return page.evaluate(() => {
    const key = Object.keys(sessionStorage).find((each) => each.startsWith('oidc.user:')) ?? ''
    return (JSON.parse(sessionStorage.getItem(key) ?? '{}') as { access_token: string })
      .access_token
  })
}
