import { expect, test as base, type Page } from '@playwright/test'
import { authority, KeycloakAdmin } from './keycloak-admin.ts'
import { launchServer, type LaunchedServer } from './launch-server.ts'

// A worker that takes over after a failure finds the users of the one before.
export const alice = { username: `alice-${process.pid}`, password: 'correct horse battery' }
export const keycloak = new KeycloakAdmin()

/** Tests at a real Keycloak, one after the other, as the realm knows one address of the server. */
export const test = base.extend<object, { server: LaunchedServer }>({
  server: [
    // oxlint-disable-next-line no-empty-pattern
    async ({}, provide) => {
      const port = process.env['VITRINE_PORT']!
      const server = await launchServer({
        VITRINE_PORT: port,
        VITRINE_PUBLIC_URL: `http://localhost:${port}`,
        VITRINE_OIDC_AUTHORITY: authority,
        VITRINE_OIDC_GROUPS_CLAIM: 'groups',
        VITRINE_GROUPS: 'Curators=curator',
        VITRINE_EVERYONE: 'contributor',
      })
      await provide(server)
      await server.remove()
    },
    { scope: 'worker' },
  ],
})

export const password = (page: Page) => page.getByRole('textbox', { name: 'Password' })

export async function signIn(page: Page, { url }: LaunchedServer, who = alice): Promise<void> {
  await page.goto(url)
  await fillSignIn(page, who)
  await expect(page.getByRole('heading', { name: 'Datasets' })).toBeVisible()
}

export async function fillSignIn(page: Page, who = alice): Promise<void> {
  await page.getByRole('textbox', { name: 'Username' }).fill(who.username)
  await password(page).fill(who.password)
  await page.getByRole('button', { name: 'Sign In' }).click()
}
