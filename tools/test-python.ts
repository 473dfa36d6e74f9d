import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@vitrine/client'
import { startSignedInServer } from '../bench/signed-in-server.ts'
import { buildPython } from './packages/build-python.ts'
import { createEnvironment, ensurePythonEnvironment, runAside } from './python-environment.ts'
import { root } from './root.mjs'

// `npm run test:python [-- words of pytest]`: builds the wheel of the Python package, uses it in an environment that
// has nothing else, and tests it against a server of its own: types, lint, tests, the notebook, and the programs of
// its document.

const sources = join(root, 'python')
const checkLog = join(root, 'tools', 'check-log-python')
const results = join(root, 'test-results')
const python = ensurePythonEnvironment()
const folder = mkdtempSync(join(tmpdir(), 'vitrine-test-python-'))
try {
  const { wheel } = buildPython(python, folder)
  const built = join(folder, wheel)

  await using started = await startSignedInServer({})
  const { server } = started
  const token = await personalToken(server.url, started.token)
  const env = {
    ...process.env,
    VITRINE_SERVER: server.url,
    VITRINE_TOKEN: token,
    VITRINE_TEST_DATA_DIR: server.dataDir,
    // Links are made by whoever has signed in.
    VITRINE_TEST_SIGN_IN: started.token,
    XDG_CONFIG_HOME: join(folder, 'settings'),
    PYTHONDONTWRITEBYTECODE: '1',
  }
  const alone = createEnvironment(python, join(folder, 'alone'))
  await runAside(alone, ['-m', 'pip', 'install', '--quiet', built])
  await runAside(alone, [join(sources, 'tests', 'alone.py')], { env })

  const install = ['install', '--quiet', '--no-deps', '--force-reinstall', built]
  await runAside(python, ['-m', 'pip', ...install])
  const cache = (name: string) => join(root, '.cache', name)
  const inSources = { cwd: sources, env }
  const style = ['--config=pyproject.toml', '--cache-dir', cache('ruff'), '.', checkLog]
  await runAside(python, ['-m', 'ruff', 'check', ...style], inSources)
  await runAside(python, ['-m', 'ruff', 'format', '--check', ...style], inSources)
  await runAside(python, ['-m', 'mypy', '--cache-dir', cache('mypy')], inSources)
  mkdirSync(results, { recursive: true })
  const report = `--junit-xml=${join(results, 'python.xml')}`
  const pytest = ['-m', 'pytest', '-p', 'no:cacheprovider', report, ...process.argv.slice(2)]
  await runAside(python, pytest, inSources)
} finally {
  rmSync(folder, { recursive: true })
}

/** A token as programs have one, for everything that they may do. */
async function personalToken(baseUrl: string, signIn: string): Promise<string> {
  const client = createClient({ baseUrl, token: () => signIn })
  const body = { name: 'test:python', scope: 'manage', expiresAt: null }
  return (await client.tokenCreate({ body })).token
}
