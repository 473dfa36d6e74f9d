import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, signedOut, test } from './app.ts'
import { expectAccessible } from './expect-accessible.ts'
import { fillSignIn } from './sign-in.ts'

const main = join(import.meta.dirname, '../packages/cli/src/main.ts')

test.use(signedOut)

test('the command line signs in through the browser', async ({ page, server }, testInfo) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-'))
  const start = (...words: string[]) =>
    spawn(process.execPath, [main, ...words, '--server', server.url], {
      env: { PATH: process.env['PATH'], XDG_CONFIG_HOME: folder },
    })
  const login = start('login', '--no-browser')
  try {
    const ended = once(login, 'exit')
    const address = await new Promise<string>((resolve) => {
      let printed = ''
      login.stderr.on('data', (chunk: Buffer) => {
        printed += chunk.toString()
        const found = /http:\S+\/auth\?\S+/.exec(printed)
        if (found !== null) resolve(found[0])
      })
    })
    await page.goto(address)
    await expect(page.getByText('command on this computer')).toBeVisible()
    await expectAccessible(page, 'signing in the command line')
    await page.screenshot({ path: testInfo.outputPath('sign-in.png') })
    await fillSignIn(page)
    await expect(page.getByRole('heading', { name: 'You are signed in' })).toBeVisible()
    await expectAccessible(page, 'signed in')
    await page.screenshot({ path: testInfo.outputPath('signed-in.png') })
    expect(await ended).toEqual([0, null])
    expect(await once(start('ls'), 'exit')).toEqual([0, null])
  } finally {
    login.kill()
    rmSync(folder, { recursive: true })
  }
})
