import type { Page } from '@playwright/test'
import { expect } from './app.ts'
import type { LaunchedServer } from './launch-server.ts'
import { fillSignIn } from './sign-in.ts'

/** Adds an account, and signs in with it. */
export async function signInAsNew(
  page: Page,
  server: LaunchedServer,
  username: string,
): Promise<void> {
  const printed = await server.user('add', username, '--generate')
  const password = /The password is (\S+) until/.exec(printed)?.[1] ?? ''
  await page.goto(server.url)
  await fillSignIn(page, { username, password })
  await page.getByLabel('New password', { exact: true }).fill('a password of ones own')
  await page.getByLabel('New password, once more').fill('a password of ones own')
  await page.getByRole('button', { name: 'Save and sign in' }).click()
  await expect(page.getByRole('heading', { name: 'Datasets' })).toBeVisible()
}
