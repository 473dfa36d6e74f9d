import { expect, type Page } from '@playwright/test'
import { createClient, type Client } from '@vitrine/client'
import { admin } from './launch-server.ts'

/** Fills in the provider's sign-in page, which the page must be at or on its way to. */
export async function fillSignIn(page: Page, { username, password } = admin): Promise<void> {
  await page.getByRole('textbox', { name: 'Username' }).fill(username)
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Signs in through the real sign-in page; ends at the site root, which leads to Datasets. */
export async function signIn(page: Page, url = '/'): Promise<void> {
  await page.goto(url)
  await fillSignIn(page)
  await expect(page.getByRole('heading', { name: 'Datasets' })).toBeVisible()
}

export type StoredUser = { access_token: string; refresh_token?: string; expires_at: number }

/** Returns the signed-in user in the app's session storage. */
export function storedUser(page: Page): Promise<StoredUser> {
  return page.evaluate(() => {
    const key = Object.keys(sessionStorage).find((each) => each.startsWith('oidc.user:'))
    return JSON.parse(sessionStorage.getItem(key ?? '') ?? 'null') as StoredUser
  })
}

/** The product's own client, with the token of the user who is signed in on a page. */
export async function clientOf(page: Page): Promise<Client> {
  const { access_token: token } = await storedUser(page)
  return createClient({ baseUrl: new URL(page.url()).origin, token: () => token })
}
