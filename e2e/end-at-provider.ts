import { expect, type BrowserContext } from '@playwright/test'
import type { LaunchedServer } from './launch-server.ts'

/** Ends the session at the provider as its own sign-out page does: no tab of the app is told. */
export async function endAtProvider(
  context: BrowserContext,
  { url }: LaunchedServer,
): Promise<void> {
  const page = await context.newPage()
  await page.goto(`${url}/realms/local/session/end`)
  await page.getByRole('button', { name: 'Sign out' }).click()
  await expect(page.getByText('You are signed out')).toBeVisible()
  await page.close()
}
