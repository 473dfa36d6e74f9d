import { expect, type Page } from '@playwright/test'
import { storedUser, type StoredUser } from './sign-in.ts'

/**
 * Takes the refresh token from the signed-in user and reloads: a hidden frame gets new tokens. They are
 * due 60 s before the old ones expire (specification §9), which is set here: tokens that were given for
 * little more would now and then be renewed before the refresh token is gone.
 */
export async function renewInHiddenFrame(page: Page): Promise<void> {
  await page.evaluate(() => {
    const key = Object.keys(sessionStorage).find((each) => each.startsWith('oidc.user:')) ?? ''
    const user = JSON.parse(sessionStorage.getItem(key) ?? '') as StoredUser
    delete user.refresh_token
    user.expires_at = Math.floor(Date.now() / 1000) + 60
    sessionStorage.setItem(key, JSON.stringify(user))
  })
  const before = await storedUser(page)
  const asked = page.waitForRequest((request) => request.url().includes('prompt=none'))
  await page.reload()
  expect((await asked).frame().parentFrame()).toBe(page.mainFrame())
  await expect.poll(async () => (await storedUser(page)).access_token).not.toBe(before.access_token)
}
