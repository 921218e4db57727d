import { freePorts } from '../../test/harness/freePorts.ts'
import { startNginx } from '../../test/harness/nginx.ts'
import type { Finding, Stage } from '../process/stage.ts'
import { spread } from '../process/stage.ts'
import { startLoad } from './load.ts'
import { startReplica } from './replica.ts'

const perSecond = 500

/** Four replicas behind nginx are replaced one after the other under load: no request fails. */
export async function restartAll(stage: Stage): Promise<Finding> {
  const ports = await freePorts(4)
  const more = { SVC_TRUSTED_PROXIES: '127.0.0.1' }
  const replicas = await Promise.all(ports.map((each) => startReplica(stage, each, more)))
  const nginx = await startNginx(ports)
  const markets = ['standard', 'micro']
  const urlOf = (count: number) => `${nginx.url}/api/market/open?market=${markets[count % 2]}&limit=20&n=${count}`
  const load = startLoad(urlOf, perSecond)
  const began = Date.now()
  const codes: (number | null | undefined)[] = []
  for (const [index, replica] of replicas.entries()) {
    replica.program.kill('SIGTERM')
    await replica.program.gone
    codes.push(replica.program.ended()?.code)
    replicas[index] = await startReplica(stage, ports[index], more)
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
    what: `4 replicas restarted one by one behind nginx at ${perSecond} requests/s: none failed`,
    figures: `${total} requests in ${seconds.toFixed(1)} s, ${total - good} failed; ${spread(times.map(Math.round))}`,
    fault,
  }
}
