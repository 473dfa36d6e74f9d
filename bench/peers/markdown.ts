import { cpus, totalmem } from 'node:os'
import type { Engine } from '../engine.ts'
import type { Result, Row } from './comparison.ts'
import { pythonVersion } from './datasette.ts'
import { pocketBaseVersion } from './pocketbase.ts'
import { postGraphileVersion } from './postgraphile.ts'

const peerVersions: Record<Engine['name'], () => string[]> = {
  sqlite: () => [
    `PocketBase ${pocketBaseVersion}`,
    `Datasette ${pythonVersion('datasette')}`,
    `DuckDB ${pythonVersion('duckdb')}`,
  ],
  postgres: () => [`PostGraphile ${postGraphileVersion}`],
}

/** Table of what was measured, with the date, the machine and the versions; where Vitrine is behind stands first. */
export function markdownOf(
  { rows, repeats, otherLoad }: Result,
  { name, version }: Pick<Engine, 'name' | 'version'>,
): string {
  const versions = [`Node ${process.versions.node}`, version, ...peerVersions[name]()]
  const today = new Date().toLocaleDateString('en-GB', { dateStyle: 'long' })
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB`
  const head = ['', 'Vitrine', '', 'beside', 'ratio', 'goal']
  const cells = rows
    .toSorted((a, b) => a.ratio - b.ratio)
    .map((row) => [
      row.what,
      amount(row.vitrine, row),
      amount(row.beside, row),
      row.peer,
      ratioText(row),
      row.goal === undefined ? '' : `${digits(row.goal)}${row.ratio < row.goal ? ', missed' : ''}`,
    ])
  return [
    `${today}; ${machine}; ${versions.join(', ')}. Others used ${Math.round(otherLoad * 100)} % of the processors at most;`,
    `rounds done again because of them: ${repeats}.`,
    '',
    ...[head, head.map(() => '---'), ...cells].map((line) => `| ${line.join(' | ')} |`),
    '',
  ].join('\n')
}

function ratioText({ ratio, spread: [least, most] }: Row): string {
  return `${digits(ratio)} (${digits(least)} to ${digits(most)})`
}

function amount(value: number, { unit }: Row): string {
  return `${digits(value)} ${unit}`
}

function digits(value: number): string {
  const fractions = value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 3
  return value.toLocaleString('en', { maximumFractionDigits: fractions })
}
