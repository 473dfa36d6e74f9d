import { spawnSync } from 'node:child_process'

/**
 * Runs `NAME=value … command arguments …` with the variables that are not set already, and with `env`.
 * @param {string[]} words
 * @param {Record<string, string>} env
 * @returns {number} the status that it ends with
 */
export function runWith(words, env = {}) {
  const isVariable = (word) => /^[A-Z_]+=/.test(word)
  const [command, ...args] = words.filter((word) => !isVariable(word))
  const variables = Object.fromEntries(words.filter(isVariable).map((word) => word.split('=')))
  const options = { env: { ...variables, ...process.env, ...env }, stdio: 'inherit' }
  return spawnSync(command, args, options).status ?? 1
}
