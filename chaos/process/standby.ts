import { setTimeout as wait } from 'node:timers/promises'
import { getSchemaName } from '@svc/index'
import type { Random } from '@svc/simulation/random'
import { type AppProcess, bothMarkets, startIndexerProcess } from '../shared/appProcess.ts'
import { type Fixture, formatTimes } from '../shared/fixture.ts'
import type { ScenarioResult } from '../shared/suite.ts'
import { countCursorMoves, recordCursorMoves, waitForCursorMoves } from './cursorMoves.ts'

const build = 'a'
const schema = getSchemaName(build)
const maxTakeOverMs = 5_000

/** Two indexers: the writer is killed, and the standby takes over. */
export async function killWriters(fixture: Fixture, rounds: number, random: Random): Promise<ScenarioResult> {
  const times: number[] = []
  let writer = await fixture.startIndexer()
  for (let round = 0; round < rounds; round++) {
    const standby = await startStandby(fixture)
    await wait(random.below(200))
    const at = Date.now()
    const killed = writer.kill('SIGKILL')
    await standby.waitForBoth('writing')
    await standby.waitForBoth('caught up')
    times.push(Date.now() - at)
    await killed
    writer = standby
  }
  return finish(fixture, [writer], times, `${rounds} writers killed: the standby reaches the head within 5 s`)
}

/** The server ends the writer's connections at random moments. Writing continues, and no block is written twice. */
export async function cutWriters(fixture: Fixture, rounds: number, random: Random): Promise<ScenarioResult> {
  const { sql } = fixture
  const times: number[] = []
  const crew = [await fixture.startIndexer(), await startStandby(fixture)]
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
  const frozen = await fixture.startIndexer()
  const standby = await startStandby(fixture)
  frozen.kill('SIGSTOP')
  const at = Date.now()
  await standby.waitForBoth('writing', 60_000)
  const took = Date.now() - at
  await standby.waitForBoth('caught up')
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
  await standby.waitForBoth('standby')
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
  const fault = await fixture.findIndexFault(schema)
  await Promise.all(crew.map(({ kill }) => kill('SIGKILL')))
  const slowest = Math.max(...times)
  const tooSlow = slowest > limit ? `Taking over took ${slowest} ms.` : null
  return { what, figures: formatTimes(times), fault, tooSlow }
}
