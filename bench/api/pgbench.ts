import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { createIndexReader, readConnectionSettings } from '@svc/index'
import postgres from 'postgres'
import { noPrices } from '../scale/noPrices.ts'

/** Statements per second of bare Postgres over eight connections. Each reads a page of the open list from a random position. */
export async function runPgbench(url: string, script: string, seconds: number): Promise<number> {
  const flags = ['-n', '-M', 'prepared', '-c', '8', '-j', '1', '-T', String(seconds), '-f', script]
  // The same connection settings as the API's.
  const options = encodeURIComponent(
    Object.entries(readConnectionSettings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
  )
  const { stdout } = await promisify(execFile)('pgbench', [...flags, `${url}?options=${options}`])
  const perSecond = Number(/tps = ([\d.]+)/.exec(stdout)?.[1])
  if (!(perSecond > 0)) throw new Error(`pgbench printed no result:\n${stdout}`)
  return perSecond
}

/** Writes the exact statement that the reader sends for a page of the open list, for `pgbench` to send with random positions. */
export async function writePgbenchScript(url: string, file: string, highest: bigint): Promise<void> {
  const sent: { query: string; parameters: unknown[] }[] = []
  const sql = postgres(url, {
    max: 1,
    fetch_types: false,
    onnotice: () => {},
    debug: (_, query, parameters) => sent.push({ query, parameters }),
  })
  await createIndexReader(sql, noPrices).listAsText('standard', { of: 'open' }, { limit: 100, before: highest })
  await sql.end()
  const last = sent.at(-1)
  if (!last) throw new Error('The reader sent no statement.')
  const text = last.query.replace(/\$(\d+)/g, (_, index) => {
    const value = String(last.parameters[Number(index) - 1])
    return value === String(highest) ? ':place' : value
  })
  if (!text.includes(':place')) throw new Error(`Found no position in ${last.query}.`)
  await writeFile(file, `\\set place random(200, ${highest})\n${text.replaceAll('\n', ' ')};\n`)
}
