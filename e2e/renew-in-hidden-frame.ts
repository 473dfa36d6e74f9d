import { expect, type Page } from '@playwright/test'
import { storedUser } from './sign-in.ts'

/** Takes the refresh token from the signed-in user and reloads: a hidden frame gets new tokens. */
export async function renewInHiddenFrame(page: Page): Promise<void> {
  await page.evaluate(() => {
    const key = Object.keys(sessionStorage).find((each) => each.startsWith('oidc.user:')) ?? ''
    const user = JSON.parse(sessionStorage.getItem(key) ?? '') as { refresh_token?: string }
    delete user.refresh_token
    sessionStorage.setItem(key, JSON.stringify(user))
  })
  const before = await storedUser(page)
  const asked = page.waitForRequest((request) => request.url().includes('prompt=none'))
  await page.reload()
  expect((await asked).frame().parentFrame()).toBe(page.mainFrame())
  await expect.poll(async () => (await storedUser(page)).access_token).not.toBe(before.access_token)
}
