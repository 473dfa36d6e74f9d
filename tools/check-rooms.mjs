import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import path from 'node:path'
import { root } from './root.mjs'

// `npm run check:rooms`: holds every import to the arrows of docs/ARCHITECTURE.md.
// A room is a folder right below `src`, or a file that stands there by itself.

const operations = 'datasets exports imports inserts log reading'
const web = 'app-context create-app data paths styles theme ui'

/** Each package: what it may import of the others, and its rooms with what each may import. */
const packages = {
  contract: { others: '' },
  rows: { others: 'contract', isForBrowsers: true },
  client: { others: 'contract transparency-log', isForBrowsers: true },
  'sha256-lanes': { others: '' },
  'transparency-log': { others: '', isForBrowsers: true },
  server: {
    others: 'contract rows sha256-lanes transparency-log',
    rooms: {
      runtime: '',
      failure: '',
      store: 'failure runtime',
      config: 'store',
      blobs: 'config failure runtime store',
      language: 'failure store values',
      listings: 'failure language runtime search-index store',
      'search-index': 'language runtime store',
      values: 'blobs failure store',
      access: 'config failure store',
      reading: 'failure language listings runtime search-index store values',
      datasets: 'access:identity failure reading store values',
      inserts: 'access:identity blobs failure reading runtime store values',
      imports: 'access:identity blobs failure reading runtime store values',
      exports: 'blobs failure listings log reading runtime store values',
      log: 'failure runtime store',
      pictures: 'blobs failure runtime',
      http: `access blobs config failure pictures runtime store upkeep:health/checks upkeep:health/watch-health ${operations}`,
      upkeep: `access blobs config describe-start failure listings runtime store values ${operations}`,
      'describe-start': 'blobs config store',
      'open-log': 'config',
      app: '*',
      start: '*',
      main: '*',
    },
    packages: {
      fastify: 'access app health http start upkeep',
      '@fastify': 'http',
      pg: 'store',
      'node:sqlite': 'store',
      '@aws-sdk': 'blobs',
      sharp: 'pictures',
    },
  },
  web: {
    others: 'contract rows client',
    isForBrowsers: true,
    rooms: {
      ui: '',
      data: 'auth:session paths',
      auth: 'app-context ui',
      palette: web,
      layout: `${web} auth palette`,
      drafts: web,
      values: web,
      files: `${web} values`,
      export: `${web} explore palette`,
      describe: `${web} drafts files values`,
      explore: `${web} describe palette values`,
      pages: `${web} auth describe drafts explore export files layout palette values`,
    },
  },
  cli: {
    others: 'contract rows client server',
    rooms: {
      command: '',
      'sign-in': 'command',
      datasets: 'command sign-in',
      bulk: 'command datasets installation sign-in',
      demo: 'command sign-in users',
      installation: 'command',
      trash: 'command',
      users: 'command',
    },
    // Only commands that work on a data folder or a database know the server.
    packages: {
      '@vitrine/server': 'demo explain installation trash users',
    },
  },
}

const statement = /^(?:import|export)\b[^'"]*?['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gmu
let faults = 0
let imports = 0

for (const [name, rules] of Object.entries(packages)) {
  const source = path.join(root, 'packages', name, 'src')
  for await (const file of glob('**/*.{ts,tsx}', { cwd: source })) {
    for (const [, fixed, dynamic] of readFileSync(path.join(source, file), 'utf8').matchAll(
      statement,
    )) {
      imports += 1
      const target = fixed ?? dynamic
      const fault = faultOf(name, rules, file, target)
      if (fault === undefined) continue
      faults += 1
      console.error(`packages/${name}/src/${file} imports ${target}: ${fault}`)
    }
  }
}
console.log(`${imports} imports, ${faults} against the arrows`)
process.exitCode = faults === 0 && imports > 0 ? 0 : 1

/** Says why a file may not import a target. */
function faultOf(
  name,
  { others, rooms, packages: owned = {}, isForBrowsers = false },
  file,
  target,
) {
  const from = roomOf(file)
  if (!target.startsWith('.')) {
    const [, other] = /^@vitrine\/([^/]+)/u.exec(target) ?? []
    if (other !== undefined && !words(others).includes(other)) {
      return `${name} knows ${others === '' ? 'no other package' : `only ${others}`}`
    }
    if (isForBrowsers && target.startsWith('node:')) return `${name} runs in browsers too`
    const owner = Object.keys(owned).find(
      (each) => target === each || target.startsWith(`${each}/`),
    )
    if (owner === undefined || words(owned[owner]).includes(from)) return undefined
    return `${owner} belongs to ${owned[owner]}`
  }
  const to = path.posix.normalize(path.posix.join(path.dirname(file).replaceAll('\\', '/'), target))
  if (to.startsWith('..')) return to.endsWith('package.json') ? undefined : 'it is outside of src'
  const room = roomOf(to)
  if (rooms === undefined || room === from) return undefined
  const allowed = rooms[from]
  // The files beside the rooms of web app and command line put them together.
  if (allowed === '*' || (allowed === undefined && !file.includes('/') && name !== 'server')) {
    return undefined
  }
  if (allowed === undefined) return `there is no room ${from} in tools/check-rooms.mjs`
  const isAllowed = words(allowed).some(
    (each) => each === room || each === to.replace(/\.tsx?$/u, '').replace('/', ':'),
  )
  if (isAllowed) return undefined
  return `${from} knows ${allowed === '' ? 'no other room' : `only ${allowed}`}`
}

function roomOf(file) {
  const [first] = file.split(/[\\/]/u)
  return first.replace(/\.tsx?$/u, '')
}

function words(text) {
  return text.split(' ').filter((word) => word !== '')
}
