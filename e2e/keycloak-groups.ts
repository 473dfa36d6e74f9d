import { createClient } from '@vitrine/client'
import { expect } from '@playwright/test'
import { authority } from './keycloak-admin.ts'
import { keycloak, signIn, test } from './keycloak-app.ts'
import { addPeople } from './sample-data.ts'
import { clientOf, storedUser } from './sign-in.ts'

test("Keycloak's groups count at the next token, and leave grants by hand alone", async ({
  page,
  browser,
  server,
}) => {
  const owner = { username: `owner-${process.pid}`, password: 'correct horse battery' }
  const member = { username: `member-${process.pid}`, password: 'correct horse battery' }
  for (const user of [owner, member]) await keycloak.addUser(user)
  const curators = await keycloak.addGroup('Curators')
  const byHand = await keycloak.addGroup('by-hand')
  await signIn(page, server, owner)
  const client = await clientOf(page)
  await addPeople(client, 'grouped')
  await client.grantSet({ datasetId: 'grouped', body: { group: '/By-Hand', role: 'owner' } })

  const other = await (await browser.newContext()).newPage()
  await signIn(other, server, member)
  let { refresh_token: refreshToken = '' } = await storedUser(other)
  /** Gets a token as it is issued from now on. */
  const renew = async () => {
    const response = await fetch(`${authority}/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: 'vitrine',
        refresh_token: refreshToken,
      }),
    })
    const renewed = (await response.json()) as { access_token: string; refresh_token: string }
    refreshToken = renewed.refresh_token
    return createClient({ baseUrl: server.url, token: () => renewed.access_token })
  }
  const roleOf = async () => {
    const { role, group } = await (await renew()).datasetRole({ datasetId: 'grouped' })
    return group === undefined ? role : `${role} by ${group}`
  }
  expect(await roleOf()).toBe('contributor')
  for (let change = 0; change < 10; change += 1) {
    await keycloak.setMember(member.username, curators, true)
    expect(await roleOf()).toBe('curator by curators')
    if (change % 3 === 0) {
      await keycloak.setMember(member.username, byHand, true)
      expect(await roleOf()).toBe('owner by by-hand')
      await keycloak.setMember(member.username, byHand, false)
    }
    await keycloak.setMember(member.username, curators, false)
    expect(await roleOf()).toBe('contributor')
  }
  const { grants, groups } = await client.grantList({ datasetId: 'grouped' })
  expect(grants.map(({ group, role }) => [group, role])).toEqual([['by-hand', 'owner']])
  expect(groups).toEqual([{ group: 'curators', role: 'curator', pattern: '*' }])

  await page.goto(`${server.url}/dataset/grouped`)
  const section = page.getByRole('region', { name: 'Who may what' })
  await expect(section.getByLabel('Role of group by-hand', { exact: true })).toHaveValue('owner')
  await expect(
    section.getByRole('row', { name: /group curators curator by the conf/ }),
  ).toBeVisible()
  await section.getByRole('combobox', { name: 'Person or group' }).fill('cura')
  await section.getByRole('option', { name: 'group curators' }).click()
  await section.getByRole('button', { name: 'Give role' }).click()
  await expect(section.getByLabel('Role of group curators', { exact: true })).toHaveValue('reader')
  await keycloak.setMember(member.username, byHand, true)
  await other.goto(`${server.url}/dataset/grouped`)
  // Signs in anew by the session at Keycloak, with a token of now.
  await other.evaluate(() => sessionStorage.clear())
  await other.goto(`${server.url}/dataset/grouped`)
  await expect(other.getByText('owner, by the group by-hand')).toBeVisible()
  await other.context().close()
  // The tests that follow begin with nothing.
  await client.repoDelete({ datasetId: 'grouped' })
})
