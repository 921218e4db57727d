import { foldFingerprint, getSchemaName, getServingBuild } from '@svc/index'
import { findFreePort } from '../../test/harness/freePorts.ts'
import { isServing, startIndexerProcess } from '../shared/appProcess.ts'
import type { Fixture } from '../shared/fixture.ts'
import type { LiveChain } from '../shared/liveChain.ts'
import { startLoad } from '../shared/load.ts'
import { fetchClientAnswer, startReplica, waitUntil } from '../shared/replica.ts'
import type { ScenarioResult } from '../shared/suite.ts'

const [build, upgraded] = ['upgrade', 'upgrade_2'] as const
const requestsPerSecond = 5
const [maxReturnMs, maxLagMs] = [40_000, 40_000]

/** Reads that the chain can answer too: between two versions the index may fall behind. */
const paths = [
  '/api/market/open?market=micro',
  '/api/market/recent?market=standard',
  '/api/market/task?id=v2:micro:3',
  '/api/get-market-ledger?market=micro&address=0x00000000000000000000000000000000000000aA',
  '/api/union/overview?market=micro',
  '/api/leaderboard?market=standard',
]

/** Makes a program another version of itself: its fold has another fingerprint. */
export const otherFold = {
  NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(`
    import { registerHooks } from 'node:module'
    registerHooks({
      load(url, context, nextLoad) {
        const loaded = nextLoad(url, context)
        const text = String(loaded.source ?? '')
        return text.includes('${foldFingerprint}')
          ? { ...loaded, source: text.replaceAll('${foldFingerprint}', '${'0'.repeat(foldFingerprint.length)}') }
          : loaded
      },
    })`)}`,
}

/**
 * Upgrades to a version with another fold, goes back by hand, and upgrades again while clients read. The build of the new version
 * must serve again by itself, no request may fail, and only the indexer of the serving build may be ready.
 */
export async function upgradeAndBack(fixture: Fixture): Promise<ScenarioResult> {
  const { chain, sql } = fixture
  const [oldPort, newPort] = [await findFreePort(), await findFreePort()]
  const oldEnv = { ...fixture.env(build, { SVC_INDEX_PORT: String(oldPort) }), ...otherFold }
  const newEnv = fixture.env(build, { SVC_INDEX_PORT: String(newPort) })
  const old = startIndexerProcess(oldEnv)
  await old.waitForLog('serving', isServing(build))
  const replica = await startReplica(fixture)
  const load = startLoad((count) => replica.url + paths[count % paths.length], requestsPerSecond)
  const lag = watchLag(chain, replica.url)

  const next = startIndexerProcess(newEnv)
  await waitForReadiness(newPort, `build ${build} serves, and this process does not write it`)
  await next.waitForLog('serving', isServing(upgraded))
  await waitForReadiness(newPort, null)
  await waitForReadiness(oldPort, `build ${upgraded} serves, and this process does not write it`)

  await next.kill('SIGTERM')
  const request = startIndexerProcess(oldEnv, ['--serve-build', build])
  await request.exited
  const code = request.exitStatus()?.code
  await waitForReadiness(oldPort, null)

  const at = Date.now()
  await old.kill('SIGTERM')
  const again = startIndexerProcess(newEnv)
  await waitForReadiness(newPort, `build ${build} serves, and this process does not write it`)
  await again.waitForLog('serving', isServing(upgraded))
  const returnedMs = Date.now() - at
  await waitForReadiness(newPort, null)
  await waitUntil('reads come from the index', 15_000, async () => (await lag.look()).path === 'index')
  const { outcomes, times } = await load.stop()
  const { largestMs, fromChain, looks } = lag.stop()
  const failed = [...outcomes].filter(([outcome]) => !(Number(outcome) < 500))
  const wrong = await fixture.findIndexFault(getSchemaName(upgraded))
  const serving = await getServingBuild(sql)
  const faults = [
    code === 0 ? null : `--serve-build exited with code ${code}: ${JSON.stringify(request.lines)}`,
    serving === upgraded ? null : `Build ${serving} is served.`,
    failed.length === 0 ? null : `Requests failed: ${JSON.stringify(failed)}`,
    wrong,
  ]
  const limits = [
    returnedMs <= maxReturnMs ? null : `The new build served again after ${returnedMs} ms.`,
    largestMs <= maxLagMs ? null : `Answers were up to ${largestMs} ms old.`,
  ]
  return {
    what: 'upgrade, back by hand, and upgrade again: the new build returns by itself, and no request fails',
    figures: `serving again after ${returnedMs} ms; ${times.length} requests, ${failed.length} failed, slowest ${Math.round(Math.max(...times))} ms; answers at most ${largestMs} ms old, ${fromChain} of ${looks} looks from the chain`,
    fault: faults.find((fault) => fault !== null) ?? null,
    tooSlow: limits.find((limit) => limit !== null) ?? null,
  }
}

/** Waits until the indexer at this port is ready, or is not for this reason. */
async function waitForReadiness(port: number, why: string | null): Promise<void> {
  await waitUntil(`port ${port} says ${why ?? 'that it is ready'}`, 20_000, async () => {
    const { status, body } = await fetchClientAnswer(`http://127.0.0.1:${port}/readyz`)
    return status === (why ? 503 : 200) && body.why === why
  })
}

/** Looks at an answer several times a second: how long ago its block was the newest. */
function watchLag({ simulation }: LiveChain, url: string) {
  const minedAt = new Map<number, number>()
  const clock = setInterval(() => {
    const { number } = simulation.chain.head()
    if (!minedAt.has(number)) minedAt.set(number, Date.now())
  }, 10)
  const seen = { largestMs: 0, fromChain: 0, looks: 0 }
  const look = async () => {
    const { path, body } = await fetchClientAnswer(`${url}/api/market/recent?market=micro&limit=1`)
    // It became old when the next block was mined.
    const since = minedAt.get(body.meta.block.number + 1)
    seen.largestMs = Math.max(seen.largestMs, since ? Date.now() - since : 0)
    seen.looks++
    if (path === 'chain') seen.fromChain++
    return { path }
  }
  const timer = setInterval(() => void look().catch(() => {}), 200)
  return {
    look,
    stop: () => {
      clearInterval(clock)
      clearInterval(timer)
      return seen
    },
  }
}
