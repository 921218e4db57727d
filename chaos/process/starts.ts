import { setTimeout as wait } from 'node:timers/promises'
import { schemaOf } from '@svc/index'
import type { Random } from '../sim/random.ts'
import { createGate, type Gate } from './gate.ts'
import { both, type Indexer, startIndexer } from './indexer.ts'
import { type Finding, type Stage, spread } from './stage.ts'
import { findTear } from './whole.ts'

const build = 'a'
const maxStopMs = 2_000
const maxBackMs = 5_000
/** A fault that lasts is said once for each market, and then every ten seconds. */
const maxLines = 4

/** Told to stop at any moment, also while it stands by, it ends its step and goes, with exit code zero. */
export async function tellToStop(stage: Stage, rounds: number, random: Random): Promise<Finding> {
  const times: number[] = []
  let fault: string | null = null
  const stop = async (indexer: Indexer) => {
    const at = Date.now()
    indexer.kill('SIGTERM')
    await Promise.race([indexer.gone, wait(maxBackMs)])
    times.push(Date.now() - at)
    const code = indexer.ended()?.code
    if (code !== 0) fault ??= `It ended with ${code}.`
    fault ??= await findTear(stage.sql, schemaOf(build))
  }
  for (let round = 0; round < rounds; round++) {
    const writer = startIndexer(stage.env(build))
    await writer.until('writing', both('writing'))
    const standby = startIndexer(stage.env(build))
    await standby.until('standing by', both('standing by'))
    if (random.chance(0.5)) stage.chain.simulation.mine(100)
    await wait(random.below(200))
    await stop(standby)
    await stop(writer)
  }
  const slowest = Math.max(...times)
  if (slowest > maxStopMs) fault ??= `It took ${slowest} ms.`
  return { what: `${2 * rounds} times told to stop: gone in under 2 s with code 0`, figures: spread(times), fault }
}

/** Started before its database, it waits, says so now and then, and goes on when the database is there. */
export async function startBeforeDatabase(stage: Stage, awayMs: number): Promise<Finding> {
  const gate = await createGate(stage.url)
  const env = stage.env(build, { SVC_DATABASE_URL: gate.url })
  return startBefore('database', gate, env, awayMs)
}

/** The same with its providers. */
export async function startBeforeProviders(stage: Stage, awayMs: number): Promise<Finding> {
  const [first = ''] = stage.chain.urls.split(',')
  const gate = await createGate(first)
  const env = stage.env(build, { CHAIN_RPC_URL: gate.url })
  return startBefore('provider', gate, env, awayMs)
}

async function startBefore(what: string, gate: Gate, env: Record<string, string>, awayMs: number): Promise<Finding> {
  const indexer = startIndexer(env)
  const troubles = () => indexer.lines.filter(({ msg }) => msg === 'stalled' || msg.startsWith('waiting until'))
  await indexer.until('stalled', () => troubles().length > 0)
  await wait(awayMs)
  const said = troubles().length
  await gate.open()
  const at = Date.now()
  await indexer.until('caught up', both('caught up'))
  const took = Date.now() - at
  indexer.kill('SIGKILL')
  await indexer.gone
  await gate.close()
  const allowed = maxLines * (1 + Math.floor(awayMs / 10_000))
  let fault: string | null = null
  if (said > allowed) fault = `It said so ${said} times.`
  if (took > maxBackMs) fault ??= `It took ${took} ms to go on.`
  return {
    what: `started ${awayMs} ms before its ${what}: it waits quietly, and goes on in under 5 s`,
    figures: `${said} lines meanwhile, at the head ${took} ms after the ${what} came`,
    fault,
  }
}
