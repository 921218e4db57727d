import { setTimeout as wait } from 'node:timers/promises'
import { schemaOf } from '@svc/index'
import type { Random } from '../sim/random.ts'
import { both, type Indexer, startIndexer } from './indexer.ts'
import { judgeMoves, movedSince, noteMoves } from './moves.ts'
import { type Finding, type Stage, spread } from './stage.ts'
import { atHead, findTear, findUntruth } from './whole.ts'

const build = 'a'
const schema = schemaOf(build)
const maxTakeOverMs = 5_000

/** Two processes; the one that writes is killed, and the other goes on. */
export async function killWriters(stage: Stage, rounds: number, random: Random): Promise<Finding> {
  const times: number[] = []
  let writer = startIndexer(stage.env(build))
  await writer.until('caught up', both('caught up'))
  for (let round = 0; round < rounds; round++) {
    const standby = await standBy(stage)
    await wait(random.below(200))
    const at = Date.now()
    writer.kill('SIGKILL')
    await standby.until('caught up', (lines) => both('writing')(lines) && both('caught up')(lines))
    times.push(Date.now() - at)
    await writer.gone
    writer = standby
  }
  return finish(stage, [writer], times, `${rounds} writers killed: the one that stood by is at the head in under 5 s`)
}

/** Connections of the writer are ended by the server, at any moment: somebody goes on, and no two from the same block. */
export async function cutWriters(stage: Stage, rounds: number, random: Random): Promise<Finding> {
  const { sql } = stage
  const times: number[] = []
  const crew = [startIndexer(stage.env(build))]
  await crew[0]?.until('caught up', both('caught up'))
  crew.push(await standBy(stage))
  await noteMoves(sql, schema)
  for (let round = 0; round < rounds; round++) {
    await wait(random.below(300))
    const at = Date.now()
    const [cut] = await sql<{ at: string }[]>`
      with writer as materialized (select distinct pid from pg_locks where locktype = 'advisory' and granted)
      select clock_timestamp()::text as at, pg_terminate_backend(pid) from writer`
    if (!cut) throw new Error('Nobody writes.')
    await movedSince(sql, cut.at)
    times.push(Date.now() - at)
  }
  const finding = await finish(
    stage,
    crew,
    times,
    `${rounds} times the writer's connections were cut: writing again in under 5 s`,
  )
  const { steps, unlocked, torn } = await judgeMoves(sql)
  return {
    ...finding,
    figures: `${finding.figures}; ${steps} steps, ${unlocked} of them after the lock was lost, ${torn} not from where the one before ended`,
    fault: finding.fault ?? (torn > 0 ? `${torn} steps did not begin where the one before ended.` : null),
  }
}

/** A writer that is frozen in the middle of its work keeps the lock only for so long; thawed, it spoils nothing. */
export async function freezeWriter(stage: Stage): Promise<Finding> {
  const frozen = startIndexer(stage.env(build))
  await frozen.until('caught up', both('caught up'))
  const standby = await standBy(stage)
  frozen.kill('SIGSTOP')
  const at = Date.now()
  await standby.until('writing', both('writing'), 60_000)
  const took = Date.now() - at
  await standby.until('caught up', both('caught up'))
  const before = frozen.lines.length
  frozen.kill('SIGCONT')
  await frozen.until('standing by', (lines) => both('standing by')(lines.slice(before)))
  return finish(
    stage,
    [frozen, standby],
    [took],
    'a frozen writer loses the lock, and does nothing wrong when it wakes up',
    60_000,
  )
}

async function standBy(stage: Stage): Promise<Indexer> {
  const standby = startIndexer(stage.env(build))
  await standby.until('standing by', both('standing by'))
  // Both its connections wait for the lock.
  for (let look = 0; look < 500; look++) {
    const waiting = await stage.sql`select from pg_locks where locktype = 'advisory' and not granted`
    if (waiting.length >= 2) return standby
    await wait(10)
  }
  throw new Error('The second process does not wait for the lock.')
}

async function finish(
  stage: Stage,
  crew: readonly Indexer[],
  times: readonly number[],
  what: string,
  limit = maxTakeOverMs,
): Promise<Finding> {
  const { chain, sql } = stage
  await atHead(sql, schema, chain.pause())
  let fault = (await findTear(sql, schema)) ?? (await findUntruth(sql, schema, chain.simulation))
  chain.resume()
  for (const each of crew) each.kill('SIGKILL')
  await Promise.all(crew.map(({ gone }) => gone))
  const slowest = Math.max(...times)
  if (!fault && slowest > limit) fault = `It took ${slowest} ms.`
  return { what, figures: spread(times), fault }
}
