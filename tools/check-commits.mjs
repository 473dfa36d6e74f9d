import { execFileSync } from 'node:child_process'
import { root } from './root.mjs'

// `npm run check:commits`: titles and bodies of commits since the rule of CONTRIBUTING.md holds for them.

const before = '8423c64'
const titleMax = 65
const filesMax = 40

const git = (...words) => execFileSync('git', words, { cwd: root }).toString().trim()

function problemsOf(commit) {
  const [title = '', ...body] = git('log', '-1', '--format=%B', commit).split('\n')
  const files = git('diff-tree', '-r', '--root', '--no-commit-id', '--name-only', commit).split(
    '\n',
  )
  const isDocuments = files.every((file) => file.endsWith('.md'))
  return [
    ...(title.length > titleMax ? [`has a title of ${title.length} characters`] : []),
    ...(/^[a-z][a-z, -]*: \S/.test(title) ? [] : ['does not begin with a room and a colon']),
    ...(/: (?:say|let|have|give|tell)s?\b/i.test(title) ? ['does not say what changes'] : []),
    ...(isDocuments || body.some((line) => line.trim() !== '') ? [] : ['has no body']),
    ...(files.length > filesMax && !/: (?:move|rename|merge)\b/.test(title)
      ? [`changes ${files.length} files, and moves none`]
      : []),
  ].map((problem) => `${commit.slice(0, 7)} ${problem}: ${title}`)
}

function isInHistory(commit) {
  try {
    git('merge-base', '--is-ancestor', commit, 'HEAD')
    return true
  } catch {
    return false
  }
}

if (!isInHistory(before)) {
  console.log(`The history does not reach back to ${before}: no commit was checked.`)
  process.exit()
}
const problems = git('rev-list', '--no-merges', `${before}..HEAD`)
  .split('\n')
  .filter(Boolean)
  .flatMap(problemsOf)
if (problems.length > 0) console.log(problems.join('\n'))
process.exitCode = problems.length === 0 ? 0 : 1
