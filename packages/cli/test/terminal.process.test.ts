// @module-tag whole

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Installation, openInstallation } from './installation.ts'

/** Program of util-linux that runs a command on a terminal of its own. */
const script = '/usr/bin/script'
const main = new URL('../src/main.ts', import.meta.url).pathname
/** Text before the place where an answer is typed. */
const question = 'to go on: '

describe.skipIf(!existsSync(script))('on a terminal', () => {
  let here: Installation

  beforeAll(async () => {
    here = await openInstallation()
    await here.login()
    const schema = 'schema:\n  - { name: film, type: binary, mime: video/mp4 }\n'
    await here.run(['create', '-f', here.write('films.yaml', `name: films\n${schema}`)])
  })
  afterAll(() => here.close())

  /** @param typed what somebody types once they are asked */
  async function onTerminal(words: string[], typed?: string) {
    const command = [process.execPath, main, ...words].join(' ')
    const child = spawn(script, ['-qec', command, '/dev/null'], {
      env: { ...process.env, XDG_CONFIG_HOME: here.config, VITRINE_SERVER: here.url },
    })
    const code = new Promise<number | null>((resolve) => child.on('close', resolve))
    let shown = ''
    for await (const chunk of child.stdout.setEncoding('utf8')) {
      const isAsked = shown.includes(question)
      shown += String(chunk)
      if (!isAsked && shown.includes(question)) child.stdin.write(`${typed}\n`)
    }
    return { code: await code, shown }
  }

  test('a large file shows how far it is', async () => {
    const film = here.write('film.mp4', Buffer.alloc(100_000_000, 'film'))
    const { code, shown } = await onTerminal(['add', 'films', `film=@${film}`])
    expect(shown).toMatch(/films ━+╌+ \d+\.\d MB of 100\.0 MB {2}\d+\.\d MB\/s/)
    expect(shown).toContain('Added item 1 to films.')
    expect(code).toBe(0)
  })

  test('items stand in columns under their names', async () => {
    const { shown } = await onTerminal(['ls', 'films'])
    expect(shown).toMatch(/^ID {2}FILM\r\n1 {3}[0-9a-f]{64}\r\n$/)
  })

  test('bytes are not written to it', async () => {
    const { code, shown } = await onTerminal(['show', 'films', '1', 'film'])
    expect(shown).toContain('A terminal cannot show this value: name a file with --output.')
    expect(code).toBe(2)
  })

  test('deleting asks for the name', async () => {
    const wrong = await onTerminal(['rm', 'films'], 'flims')
    expect(wrong.shown).toContain('This deletes the repository films with its 1 item.')
    expect(wrong.shown).toContain('That is another name. Nothing was deleted.')
    expect(wrong.code).toBe(1)
    expect((await onTerminal(['rm', 'films'], 'films')).shown).toContain('Deleted films.')
    expect((await here.run(['ls'])).stdout).toBe('')
  })
})
