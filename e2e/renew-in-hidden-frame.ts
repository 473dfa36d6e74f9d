import { expect, type Page } from '@playwright/test'
import { storedUser, type StoredUser } from './sign-in.ts'

/**
 * Takes the refresh token from the signed-in user and reloads: a hidden frame gets new tokens. They are
 * due when two thirds of a short life are over, which is set here: tokens that were given for little
 * would now and then be renewed before the refresh token is gone.
 */
export async function renewInHiddenFrame(page: Page): Promise<void> {
  await page.evaluate(() => {
    const key = Object.keys(sessionStorage).find((each) => each.startsWith('oidc.user:')) ?? ''
    const user = JSON.parse(sessionStorage.getItem(key) ?? '') as StoredUser
    delete user.refresh_token
    user.expires_at = Math.floor(Date.now() / 1000) + 9
    sessionStorage.setItem(key, JSON.stringify(user))
  })
  const before = await storedUser(page)
  const asked = page.waitForRequest((request) => request.url().includes('prompt=none'))
  await page.reload()
  expect((await asked).frame().parentFrame()).toBe(page.mainFrame())
  await expect.poll(async () => (await storedUser(page)).access_token).not.toBe(before.access_token)
}
