import { type Command, exitCodes } from './command/command.ts'
import { commands } from './commands.ts'

/** Writes the text of `vitrine --help`. */
export function overview(): string {
  const codes = Object.entries(exitCodes)
  return [
    'Usage: vitrine <command>',
    '',
    'Without a command it serves, as `vitrine serve` does.',
    '',
    ...columns(summaries('')),
    '',
    '`vitrine <command> --help` says more, with examples; `vitrine --version` says which version it is.',
    '',
    'Commands that talk to a server take --server <address>, or VITRINE_SERVER; without either they use',
    'the one you signed in to last. They use your sign-in by `vitrine login`, or the token in',
    'VITRINE_TOKEN. With --json they print JSON, one value a line, and errors as JSON on standard error.',
    '',
    'Exit codes:',
    ...columns(codes),
  ].join('\n')
}

/** Writes the text of `vitrine <word> --help` where several commands begin with that word. */
export function groupOverview(word: string): string | undefined {
  const rows = summaries(`${word} `)
  if (rows.length === 0) return undefined
  return [
    `Usage: vitrine ${word} <command>`,
    '',
    ...columns(rows),
    '',
    `\`vitrine ${word} <command> --help\` says more, with examples.`,
  ].join('\n')
}

function summaries(beginning: string): (readonly [name: string, summary: string])[] {
  return Object.entries(commands).flatMap(([name, { summary }]) =>
    name.startsWith(beginning) ? [[name, summary] as const] : [],
  )
}

/** Writes the text of `vitrine <command> --help`. */
export function usageOf(name: string, { usage, summary, details, examples = [] }: Command): string {
  return [
    `Usage: vitrine ${name} ${usage}`.trimEnd(),
    '',
    summary,
    ...(details === undefined ? [] : ['', details]),
    ...(examples.length === 0 ? [] : ['', 'Examples:']),
    ...examples.flatMap(([words, meaning]) => [`  vitrine ${words}`, `      ${meaning}`]),
  ].join('\n')
}

function columns(rows: (readonly [string, string])[]): string[] {
  const width = Math.max(...rows.map(([first]) => first.length))
  return rows.map(([first, second]) => `  ${first.padEnd(width)}  ${second}`)
}
