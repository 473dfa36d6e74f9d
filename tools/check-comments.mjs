import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './root.mjs'

// `npm run check:comments`: a doc comment begins with a verb or a plain noun (CONTRIBUTING.md).

const vague = /\/\*\*(?:\s*\n\s*\*)?\s+(Of|What|Where|Which|As|So|Told|Given|Known|The same)\b/g

const files = execFileSync('git', ['ls-files', '*.ts', '*.tsx', '*.mts', '*.mjs'], { cwd: root })
  .toString()
  .trim()
  .split('\n')
  .filter((file) => existsSync(join(root, file)))
const places = files.flatMap((file) => {
  const text = readFileSync(join(root, file), 'utf8')
  return Array.from(text.matchAll(vague), ({ index, 1: word }) => {
    const line = text.slice(0, index).split('\n').length
    return `${file}:${line}: a doc comment begins with ${word}, not with a verb or a noun`
  })
})
if (places.length > 0) console.log(places.join('\n'))
process.exitCode = places.length === 0 ? 0 : 1
