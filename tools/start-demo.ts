import { chromium, type Browser, type Page } from '@playwright/test'
import { loadDemo } from '../bench/load-demo.ts'
import { startServerProcess } from '../bench/server-process.ts'
import { findChromium } from './chromium.mjs'

const password = 'a password for the demo'

export type Demo = {
  url: string
  browser: Browser
  /** Signed in, and on no screen in particular. */
  page: Page
  accessToken: string
}

/** Starts a server with the demo, and a browser in which somebody has signed in there. */
export async function startDemo(opened: AsyncDisposableStack): Promise<Demo> {
  const executablePath = findChromium()
  const { url } = opened.use(
    await startServerProcess({ env: { VITRINE_ADMIN_PASSWORD: password } }),
  )
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
  opened.defer(() => browser.close())
  const context = await browser.newContext({ locale: 'en-GB', reducedMotion: 'reduce' })
  const page = await context.newPage()
  await signIn(page, url)
  const accessToken = await tokenOf(page)
  loadDemo(url, accessToken)
  return { url, browser, page, accessToken }
}

async function signIn(page: Page, url: string): Promise<void> {
  await page.goto(`${url}/dataset`)
  await page.getByRole('textbox', { name: 'Username' }).fill('admin')
  await page.locator('#password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('You do not have any records yet.').waitFor()
}

function tokenOf(page: Page): Promise<string> {
  return page.evaluate(() => {
    const key = Object.keys(sessionStorage).find((each) => each.startsWith('oidc.user:')) ?? ''
    return (JSON.parse(sessionStorage.getItem(key) ?? '{}') as { access_token: string })
      .access_token
  })
}
