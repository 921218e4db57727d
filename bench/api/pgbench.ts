import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { createIndexReader, readingSettings } from '@svc/index'
import postgres from 'postgres'
import { noPrices } from '../scale/noPrices.ts'

/** Statements a second of bare Postgres over eight connections, each a page of the open list from a random place. */
export async function pgbench(url: string, script: string, seconds: number): Promise<number> {
  const flags = ['-n', '-M', 'prepared', '-c', '8', '-j', '1', '-T', String(seconds), '-f', script]
  // The connections are set as those of the API are.
  const options = encodeURIComponent(`-c plan_cache_mode=${readingSettings.plan_cache_mode}`)
  const { stdout } = await promisify(execFile)('pgbench', [...flags, `${url}?options=${options}`])
  const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  if (!(perSecond > 0)) throw new Error(`pgbench said nothing:\n${stdout}`)
  return perSecond
}

/** Writes the very statement that the reader sends for a page of the open list, for `pgbench` to send from random places. */
export async function writeScript(url: string, file: string, highest: bigint): Promise<void> {
  const said: { query: string; parameters: unknown[] }[] = []
  const sql = postgres(url, {
    max: 1,
    fetch_types: false,
    onnotice: () => {},
    debug: (_, query, parameters) => said.push({ query, parameters }),
  })
  await createIndexReader(sql, noPrices).listAsText('standard', { of: 'open' }, { limit: 100, before: highest })
  await sql.end()
  const last = said.at(-1)
  if (!last) throw new Error('The reader said nothing.')
  const text = last.query.replace(/\$(\d+)/g, (_, index) => {
    const value = String(last.parameters[Number(index) - 1])
    return value === String(highest) ? ':place' : value
  })
  if (!text.includes(':place')) throw new Error(`No place in ${last.query}.`)
  await writeFile(file, `\\set place random(200, ${highest})\n${text.replaceAll('\n', ' ')};\n`)
}
