import { findFreePorts } from '../../test/harness/freePorts.ts'
import { startNginx } from '../../test/harness/nginx.ts'
import { type Fixture, formatTimes } from '../shared/fixture.ts'
import { startLoad } from '../shared/load.ts'
import { startReplica } from '../shared/replica.ts'
import type { ScenarioResult } from '../shared/suite.ts'

const perSecond = 500

/** Replaces four replicas behind nginx one after another, under load. No request may fail. */
export async function restartReplicas(fixture: Fixture): Promise<ScenarioResult> {
  const ports = await findFreePorts(4)
  const more = { SVC_TRUSTED_PROXIES: '127.0.0.1' }
  const replicas = await Promise.all(ports.map((each) => startReplica(fixture, each, more)))
  const nginx = await startNginx(ports)
  const markets = ['standard', 'micro']
  const buildUrl = (count: number) =>
    `${nginx.url}/api/market/open?market=${markets[count % 2]}&limit=${1 + (count % 100)}`
  const load = startLoad(buildUrl, perSecond)
  const began = Date.now()
  const codes: (number | null | undefined)[] = []
  for (const [index, replica] of replicas.entries()) {
    await replica.process.kill('SIGTERM')
    codes.push(replica.process.exitStatus()?.code)
    replicas[index] = await startReplica(fixture, ports[index], more)
  }
  const seconds = (Date.now() - began) / 1000
  const { outcomes, times } = await load.stop()
  await nginx.stop()
  const total = times.length
  const good = outcomes.get('200') ?? 0
  const rate = Math.round(total / seconds)
  const fault =
    good < total
      ? `${JSON.stringify([...outcomes])}\n${nginx.complaints()}`
      : codes.some((code) => code !== 0)
        ? `Replicas ended with ${codes}.`
        : rate < perSecond * 0.9
          ? `Only ${rate} requests a second were sent.`
          : null
  return {
    what: `4 replicas restarted one by one behind nginx at ${perSecond} requests/s: no request failed`,
    figures: `${total} requests in ${seconds.toFixed(1)} s, ${total - good} failed; ${formatTimes(times.map(Math.round))}`,
    fault,
  }
}
