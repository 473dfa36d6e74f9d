import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { freePort } from '../../tools/free-port.mjs'
import { untilAnswers } from '../../tools/until-answers.mjs'
import { expectJson, requestBytes, type Connection } from '../connection.ts'

const folder = join(import.meta.dirname, 'postgraphile')

const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
  dependencies: { postgraphile: string }
}
/** https://postgraphile.org */
export const postGraphileVersion = manifest.dependencies.postgraphile

export type PostGraphile = {
  port: number
  /** Sends a query of GraphQL. @returns its data */
  query: (text: string, variables?: object) => Promise<unknown>
}

/** Installs PostGraphile, and starts it on the tables that a database has. */
export async function startPostGraphile(
  opened: AsyncDisposableStack,
  databaseUrl: string,
): Promise<PostGraphile> {
  execFileSync('npm', ['ci', '--no-audit', '--no-fund', '--ignore-scripts'], {
    cwd: folder,
    stdio: 'ignore',
  })
  const port = await freePort()
  const child = spawn(process.execPath, ['server.mjs'], {
    cwd: folder,
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      GRAPHILE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      PORT: String(port),
    },
    stdio: 'ignore',
  })
  const exited = once(child, 'exit')
  opened.defer(async () => {
    child.kill()
    await exited
  })
  const url = `http://127.0.0.1:${port}/graphql`
  await untilAnswers(url, child)
  return {
    port,
    query: async (text, variables = {}) => {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: bodyOf(text, variables),
      })
      return dataOf(await response.json())
    },
  }
}

/** Sends a query over a connection. @returns its data */
export async function queryOver(
  connection: Connection,
  text: string,
  variables: object,
): Promise<unknown> {
  const headers = { 'content-type': 'application/json' }
  const body = Buffer.from(bodyOf(text, variables))
  const request = requestBytes('POST', '/graphql', headers, body)
  return dataOf(expectJson(await connection.send(request), 200))
}

const bodyOf = (query: string, variables: object) => JSON.stringify({ query, variables })

function dataOf(reply: unknown): unknown {
  const { data, errors } = reply as { data?: unknown; errors?: unknown }
  if (errors !== undefined) throw new Error(JSON.stringify(errors))
  return data
}
