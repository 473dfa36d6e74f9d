import { expect, signedOut, test } from './app.ts'
import { CommandLine } from './command-line.ts'
import { expectAccessible } from './expect-accessible.ts'
import { fillSignIn } from './sign-in.ts'

test.use(signedOut)

test('the command line signs in through the browser', async ({ page, server }, testInfo) => {
  using commandLine = new CommandLine(server.url)
  const { address, ended } = await commandLine.login(/http:\S+\/auth\?\S+(?=\s)/, '--no-browser')
  await page.goto(address)
  await expect(page.getByText('command on this computer')).toBeVisible()
  await expectAccessible(page, 'signing in the command line')
  await page.screenshot({ path: testInfo.outputPath('sign-in.png') })
  await fillSignIn(page)
  await expect(page.getByRole('heading', { name: 'You are signed in' })).toBeVisible()
  await expectAccessible(page, 'signed in')
  await page.screenshot({ path: testInfo.outputPath('signed-in.png') })
  expect(await ended).toEqual([0, null])
  expect(await commandLine.run('ls')).toEqual([0, null])
})
