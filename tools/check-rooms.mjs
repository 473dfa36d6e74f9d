import { readFileSync, writeFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import path from 'node:path'
import { root } from './root.mjs'
import { packages } from './rooms.mjs'

// `npm run check:rooms`: holds every import to the arrows of `rooms.mjs`, and the tables of docs/ARCHITECTURE.md to
// it as well; `npm run check:rooms -- --write` writes them.

const statement = /^(?:import|export)\b[^'"]*?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gmu
const document = path.join(root, 'docs/ARCHITECTURE.md')
const marks = [
  '<!-- rooms: written by `npm run check:rooms -- --write` -->',
  '<!-- end of rooms -->',
]
let faults = 0
let imports = 0

for (const [name, { rooms, ...rules }] of Object.entries(packages)) {
  const source = path.join(root, 'packages', name, 'src')
  const empty = new Set(Object.keys(rooms ?? {}))
  for await (const file of glob('**/*.{ts,tsx}', { cwd: source })) {
    empty.delete(roomOf(file))
    for (const [, fixed, dynamic] of readFileSync(path.join(source, file), 'utf8').matchAll(
      statement,
    )) {
      imports += 1
      const target = fixed ?? dynamic
      const fault = faultOf(name, rooms, rules, file, target)
      if (fault !== undefined) report(`packages/${name}/src/${file} imports ${target}: ${fault}`)
    }
  }
  for (const room of empty) report(`tools/rooms.mjs: ${name} has no room ${room}`)
}
console.log(`${imports} imports, ${faults} against the arrows`)
checkDocument()
process.exitCode = faults === 0 && imports > 0 ? 0 : 1

function report(fault) {
  faults += 1
  console.error(fault)
}

/** Says why a file may not import a target. */
function faultOf(name, rooms, { others = '', owners = {}, isForBrowsers = false }, file, target) {
  const from = roomOf(file)
  if (!target.startsWith('.')) {
    const [, other] = /^@vitrine\/([^/]+)/u.exec(target) ?? []
    if (other !== undefined && !words(others).includes(other)) {
      return `${name} knows ${others === '' ? 'no other package' : `only ${others}`}`
    }
    if (isForBrowsers && target.startsWith('node:')) return `${name} runs in browsers too`
    const owned = Object.keys(owners).find(
      (each) => target === each || target.startsWith(`${each}/`),
    )
    if (owned === undefined || words(owners[owned]).includes(from)) return undefined
    return `${owned} belongs to ${owners[owned]}`
  }
  const to = path.posix.normalize(path.posix.join(path.dirname(file).replaceAll('\\', '/'), target))
  if (to.startsWith('..')) return to.endsWith('package.json') ? undefined : 'it is outside of src'
  const room = roomOf(to)
  if (rooms === undefined || room === from || to.endsWith('.css')) return undefined
  if (rooms[from] === undefined) return `there is no room ${from} in tools/rooms.mjs`
  const [, allowed] = rooms[from]
  if (allowed === '*') return undefined
  const isAllowed = words(allowed).some(
    (each) => each === room || each === to.replace(/\.tsx?$/u, '').replace('/', ':'),
  )
  return isAllowed
    ? undefined
    : `${from} knows ${allowed === '' ? 'no other room' : `only ${allowed}`}`
}

function checkDocument() {
  const text = readFileSync(document, 'utf8')
  const [before, after] = [text.indexOf(marks[0]), text.indexOf(marks[1])]
  if (before === -1 || after === -1)
    return report('docs/ARCHITECTURE.md has no place for the rooms')
  const now = text.slice(0, before) + inMarkdown() + text.slice(after + marks[1].length)
  if (now === text) return undefined
  if (process.argv.includes('--write')) return writeFileSync(document, now)
  return report('docs/ARCHITECTURE.md shows other rooms: npm run check:rooms -- --write')
}

function inMarkdown() {
  const parts = Object.entries(packages).map(([name, { about, others, rooms }]) => {
    const head = `**packages/${name}**: ${about}. Imports ${others === '' ? 'no other package' : others.replaceAll(' ', ', ')}.`
    if (rooms === undefined) return head
    const rows = Object.entries(rooms).map(([room, [what, allowed]]) => [
      `\`${room}\``,
      what,
      allowed === '*' ? 'all' : words(allowed).toSorted().join(' '),
    ])
    return `${head}\n\n${tableOf([['Room', 'What is in it', 'Imports'], ...rows])}`
  })
  return [marks[0], ...parts, marks[1]].join('\n\n')
}

/** Writes a table as Prettier does. */
function tableOf(rows) {
  const widths = rows[0].map((_, at) => Math.max(...rows.map((row) => row[at].length)))
  const line = (cells) => `| ${cells.join(' | ')} |`
  const [head, ...rest] = rows.map((row) => line(row.map((cell, at) => cell.padEnd(widths[at]))))
  return [head, line(widths.map((width) => '-'.repeat(width))), ...rest].join('\n')
}

function roomOf(file) {
  const [first] = file.split(/[\\/]/u)
  return first.replace(/\.tsx?$/u, '')
}

function words(text) {
  return text.split(' ').filter((word) => word !== '')
}
