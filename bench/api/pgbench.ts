import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { readConnectionSettings } from '@svc/index'
import { isClaimable, isEarly } from '../../packages/index/src/phases.ts'

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

/** Writes a page of the open list as one statement of bare Postgres, for `pgbench` to send with random positions. */
export async function writePgbenchScript(file: string, highest: bigint): Promise<void> {
  await writeFile(file, `\\set place random(200, ${highest})\n${statement.replaceAll(/\s+/g, ' ')};\n`)
}

/** What the API sent itself until it kept texts: the cursor, and the page as text with its fingerprints and positions. */
const statement = `
  select c.number, c.hash, c."timestamp", c.halted, c.suspects, r.*
  from market.cursor c left join lateral (
    select string_agg(json || case when early then early_text else late_text end, ',') as text,
      string_agg(mark, '') as marks,
      string_agg(int8send(key) || int4send(octet_length(json)) || int8send(coalesce(phase_end, 0)), '') as offsets
    from (select t.key, t.json, t.mark, t.phase_end, t.early as early_text, t.late as late_text, ${isEarly} as early
      from market.task t where t.market = c.market and ${isClaimable} and t.key < :place
      order by t.key desc limit 101) found) r on true
  where c.market = 0`
