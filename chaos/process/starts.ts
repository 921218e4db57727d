import { setTimeout as wait } from 'node:timers/promises'
import { getSchemaName } from '@svc/index'
import type { Random } from '@svc/simulation/random'
import { type AppProcess, startIndexerProcess } from '../shared/appProcess.ts'
import { type Fixture, formatTimes } from '../shared/fixture.ts'
import { findInconsistency } from '../shared/indexChecks.ts'
import type { ScenarioResult } from '../shared/suite.ts'
import { createSwitchableProxy, type SwitchableProxy } from '../shared/switchableProxy.ts'

const build = 'a'
const maxStopMs = 2_000
const maxBackMs = 5_000
/** A lasting fault is logged once for each market, then every ten seconds. */
const maxLines = 4

/** Told to stop at any moment, even on standby, the indexer finishes its step and exits with code 0. */
export async function stopGracefully(fixture: Fixture, rounds: number, random: Random): Promise<ScenarioResult> {
  const times: number[] = []
  let fault: string | null = null
  const stop = async (indexer: AppProcess) => {
    const at = Date.now()
    await Promise.race([indexer.kill('SIGTERM'), wait(maxBackMs)])
    times.push(Date.now() - at)
    const code = indexer.exitStatus()?.code
    if (code !== 0) fault ??= `It exited with code ${code}.`
    fault ??= await findInconsistency(fixture.sql, getSchemaName(build))
  }
  for (let round = 0; round < rounds; round++) {
    const writer = startIndexerProcess(fixture.env(build))
    await writer.waitForBoth('writing')
    const standby = startIndexerProcess(fixture.env(build))
    await standby.waitForBoth('standby')
    if (random.chance(0.5)) fixture.chain.simulation.mine(100)
    await wait(random.below(200))
    await stop(standby)
    await stop(writer)
  }
  const slowest = Math.max(...times)
  const tooSlow = slowest > maxStopMs ? `Stopping took ${slowest} ms.` : null
  return { what: `${2 * rounds} stops: exited within 2 s with code 0`, figures: formatTimes(times), fault, tooSlow }
}

/** Started before its database, the indexer waits, logs it now and then, and continues once the database is up. */
export async function startBeforeDatabase(fixture: Fixture, awayMs: number): Promise<ScenarioResult> {
  const proxy = await createSwitchableProxy(fixture.url)
  const env = fixture.env(build, { SVC_DATABASE_URL: proxy.url })
  return startBefore('database', proxy, env, awayMs)
}

/** The same with its providers. */
export async function startBeforeProviders(fixture: Fixture, awayMs: number): Promise<ScenarioResult> {
  const [first = ''] = fixture.chain.urls.split(',')
  const proxy = await createSwitchableProxy(first)
  const env = fixture.env(build, { CHAIN_RPC_URL: proxy.url })
  return startBefore('provider', proxy, env, awayMs)
}

async function startBefore(
  what: string,
  proxy: SwitchableProxy,
  env: Record<string, string>,
  awayMs: number,
): Promise<ScenarioResult> {
  const indexer = startIndexerProcess(env)
  const faultLines = () => indexer.lines.filter(({ msg }) => msg === 'stalled' || msg.endsWith('yet, retrying'))
  await indexer.waitForLog('stalled', () => faultLines().length > 0)
  await wait(awayMs)
  const logged = faultLines().length
  await proxy.open()
  const at = Date.now()
  await indexer.waitForBoth('caught up')
  const took = Date.now() - at
  await indexer.kill('SIGKILL')
  await proxy.close()
  const allowed = maxLines * (1 + Math.floor(awayMs / 10_000))
  return {
    what: `started ${awayMs} ms before its ${what}: waits quietly, and continues within 5 s`,
    figures: `${logged} log lines meanwhile, at the head ${took} ms after the ${what} started`,
    fault: logged > allowed ? `It logged the fault ${logged} times.` : null,
    tooSlow: took > maxBackMs ? `It took ${took} ms to continue.` : null,
  }
}
