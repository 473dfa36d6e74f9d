import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensurePythonEnvironment } from '../python-environment.ts'
import { root } from '../root.mjs'
import { buildPython, pythonVersion } from './build-python.ts'
import { readManifest } from './read-manifest.ts'
import { releaseNotes } from './release-notes.ts'
import { stageClient } from './stage-client.ts'
import { stageVitrine } from './stage-vitrine.ts'

// `npm run release -- 0.2.0`: writes what would be published of this version to dist/0.2.0, and publishes nothing.

const { positionals } = parseArgs({ allowPositionals: true })
const version = positionals[0] ?? readManifest('cli').version
const refusal = findRefusal()
if (refusal !== undefined) {
  console.error(refusal)
  process.exit(1)
}

const outDir = join(root, 'dist', version)
rmSync(outDir, { recursive: true, force: true })
mkdirSync(outDir, { recursive: true })
const notes = releaseNotes(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version)!
writeFileSync(join(outDir, 'NOTES.md'), `${notes}\n`)
const tarballs = [stageClient, stageVitrine].map((stage) => {
  const folder = mkdtempSync(join(tmpdir(), 'vitrine-release-'))
  stage(folder)
  const words = ['pack', '--json', '--pack-destination', outDir, folder]
  const [{ filename }] = JSON.parse(execFileSync('npm', words, { encoding: 'utf8' })) as [
    { filename: string },
  ]
  rmSync(folder, { recursive: true })
  return filename
})
const { wheel, sdist } = buildPython(ensurePythonEnvironment(), outDir)
const files = [...tarballs, wheel, sdist]
const sums = files.map((name) => `${sha256(join(outDir, name))}  ${name}\n`)
writeFileSync(join(outDir, 'SHA256SUMS'), sums.join(''))
console.log(`dist/${version} has ${files.join(', ')}, their notes and digests.`)
console.log(
  `Publish the tarballs with \`npm publish dist/${version}/<file> --access public\`, and the other two with ` +
    `\`twine upload dist/${version}/${wheel} dist/${version}/${sdist}\`.`,
)

/** Says why this version cannot be released from here. */
function findRefusal(): string | undefined {
  const other = ['client', 'cli', 'server'].find((name) => readManifest(name).version !== version)
  if (other !== undefined) {
    return (
      `packages/${other} has version ${readManifest(other).version}, not ${version}. Set it in every package: ` +
      `npm version ${version} --workspaces --include-workspace-root --no-git-tag-version`
    )
  }
  if (pythonVersion() !== version) {
    return `python/pyproject.toml has version ${pythonVersion()}, not ${version}. Set it there.`
  }
  if (releaseNotes(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version) === undefined) {
    return `CHANGELOG.md has no section "## ${version} — <date>" with anything in it. Write it, with the date.`
  }
  const changes = execFileSync('git', ['status', '--porcelain'], { cwd: root, encoding: 'utf8' })
  if (changes !== '') return `Commit or remove these changes first:\n${changes.trimEnd()}`
  return undefined
}

function sha256(file: string): string {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}
