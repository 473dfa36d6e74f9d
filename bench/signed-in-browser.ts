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

/** The product as `npm start` runs it, with the demo, and a page that a person has signed in with. */
export async function openSignedInBrowser(): Promise<SignedInBrowser> {
  const server = await startServerProcess({
    file: join(import.meta.dirname, '..', 'tools', 'serve.mjs'),
    env: { VITRINE_ADMIN_PASSWORD: password },
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
  await page.locator('::-p-text(You do not have any records yet.)').wait()
  loadDemo(server.url, await accessToken(page))
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
