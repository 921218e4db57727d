import { setTimeout as wait } from 'node:timers/promises'
import { getSchemaName } from '@svc/index'
import type { Random } from '../sim/random.ts'
import { type AppProcess, bothMarkets, startIndexerProcess } from './appProcess.ts'
import { countCursorMoves, recordCursorMoves, waitForCursorMoves } from './cursorMoves.ts'
import { type Fixture, formatTimes, type ScenarioResult } from './fixture.ts'
import { findInconsistency, findWrongIndex, waitForIndexHead } from './indexChecks.ts'

const build = 'a'
const schema = getSchemaName(build)
const maxTakeOverMs = 5_000

/** Two indexers: the writer is killed, and the standby takes over. */
export async function killWriters(fixture: Fixture, rounds: number, random: Random): Promise<ScenarioResult> {
  const times: number[] = []
  let writer = startIndexerProcess(fixture.env(build))
  await writer.waitForLog('caught up', bothMarkets('caught up'))
  for (let round = 0; round < rounds; round++) {
    const standby = await startStandby(fixture)
    await wait(random.below(200))
    const at = Date.now()
    writer.kill('SIGKILL')
    await standby.waitForLog('caught up', (lines) => bothMarkets('writing')(lines) && bothMarkets('caught up')(lines))
    times.push(Date.now() - at)
    await writer.exited
    writer = standby
  }
  return finish(fixture, [writer], times, `${rounds} writers killed: the standby reaches the head within 5 s`)
}

/** The server ends the writer's connections at random moments. Writing continues, and no block is written twice. */
export async function cutWriters(fixture: Fixture, rounds: number, random: Random): Promise<ScenarioResult> {
  const { sql } = fixture
  const times: number[] = []
  const crew = [startIndexerProcess(fixture.env(build))]
  await crew[0]?.waitForLog('caught up', bothMarkets('caught up'))
  crew.push(await startStandby(fixture))
  await recordCursorMoves(sql, schema)
  for (let round = 0; round < rounds; round++) {
    await wait(random.below(300))
    const at = Date.now()
    const [cut] = await sql<{ at: string }[]>`
      with writer as materialized (select distinct pid from pg_locks where locktype = 'advisory' and granted)
      select clock_timestamp()::text as at, pg_terminate_backend(pid) from writer`
    if (!cut) throw new Error('No indexer is writing.')
    await waitForCursorMoves(sql, cut.at)
    times.push(Date.now() - at)
  }
  const result = await finish(
    fixture,
    crew,
    times,
    `${rounds} times the writer's connections were cut: writing again within 5 s`,
  )
  const { steps, unlocked, torn } = await countCursorMoves(sql)
  return {
    ...result,
    figures: `${result.figures}; ${steps} steps, ${unlocked} of them without the lock, ${torn} that do not continue the previous one`,
    fault: result.fault ?? (torn > 0 ? `${torn} steps did not continue the previous one.` : null),
  }
}

/** A writer that is frozen mid-step loses the lock after a while, and does no damage when it resumes. */
export async function freezeWriter(fixture: Fixture): Promise<ScenarioResult> {
  const frozen = startIndexerProcess(fixture.env(build))
  await frozen.waitForLog('caught up', bothMarkets('caught up'))
  const standby = await startStandby(fixture)
  frozen.kill('SIGSTOP')
  const at = Date.now()
  await standby.waitForLog('writing', bothMarkets('writing'), 60_000)
  const took = Date.now() - at
  await standby.waitForLog('caught up', bothMarkets('caught up'))
  const before = frozen.lines.length
  frozen.kill('SIGCONT')
  await frozen.waitForLog('standby', (lines) => bothMarkets('standby')(lines.slice(before)))
  return finish(
    fixture,
    [frozen, standby],
    [took],
    'a frozen writer loses the lock, and does no damage when it resumes',
    60_000,
  )
}

async function startStandby(fixture: Fixture): Promise<AppProcess> {
  const standby = startIndexerProcess(fixture.env(build))
  await standby.waitForLog('standby', bothMarkets('standby'))
  // Both its connections wait for the lock.
  for (let look = 0; look < 500; look++) {
    const waiting = await fixture.sql`select from pg_locks where locktype = 'advisory' and not granted`
    if (waiting.length >= 2) return standby
    await wait(10)
  }
  throw new Error('The standby does not wait for the lock.')
}

async function finish(
  fixture: Fixture,
  crew: readonly AppProcess[],
  times: readonly number[],
  what: string,
  limit = maxTakeOverMs,
): Promise<ScenarioResult> {
  const { chain, sql } = fixture
  await waitForIndexHead(sql, schema, chain.pause())
  let fault = (await findInconsistency(sql, schema)) ?? (await findWrongIndex(sql, schema, chain.simulation))
  chain.resume()
  for (const each of crew) each.kill('SIGKILL')
  await Promise.all(crew.map(({ exited }) => exited))
  const slowest = Math.max(...times)
  if (!fault && slowest > limit) fault = `Taking over took ${slowest} ms.`
  return { what, figures: formatTimes(times), fault }
}
