import { setTimeout } from 'node:timers/promises'
import type { Deployments, Providers } from '@svc/chain'
import { markets } from '@svc/protocol'
import { createAppMetrics } from '@svc/serve/metrics'
import type { Logger } from 'pino'
import { Gauge } from 'prom-client'
import { type Alarm, type Expected, judgeSigns, knownAlarms } from './judgeSigns.ts'
import { createSignReader, type Signs } from './readSigns.ts'

/** Creates the metrics of the watcher. */
export function createWatchMetrics() {
  const { registry, observer } = createAppMetrics()
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `svc_watch_${name}`, help, labelNames, registers: [registry] })
  const paused = gauge('paused', 'Whether entries are paused.', ['market'])
  const surplus = gauge('surplus', 'What a vault holds beyond what it owes, in tokens.', ['market', 'vault'])
  const judges = gauge('judges', 'Wallets that are or were judges.', ['market'])
  const freeJudges = gauge('free_judges', 'Judges that could take a small case now.', ['market'])
  const due = gauge('due_calls', 'Calls that anyone may make and nobody has made yet.', ['market'])
  const oldestDue = gauge('oldest_due_seconds', 'For how long the oldest of them has been due.', ['market'])
  const courtCases = gauge('court_cases', 'Cases that wait for the final court.', ['market'])
  const courtLeft = gauge('court_seconds_left', 'Seconds until the first closes; -1 without one.', ['market'])
  const queued = gauge('queued_operations', 'Operations that wait in the timelock.')
  const oracleAge = gauge('oracle_age_seconds', 'Age of the price of TOK; -1 if there is none.')
  const alarms = gauge('alarm', 'Each alarm, by what it is about: 1 while it lasts.', ['alarm', 'subject', 'level'])
  const block = gauge('block_timestamp_seconds', 'Timestamp of the last block that was read, in unix seconds.')
  const showAlarms = (found: readonly Alarm[]) => {
    alarms.reset()
    for (const { name, subject, level } of knownAlarms) alarms.set({ alarm: name, subject, level }, 0)
    for (const { name, subject, level } of found) alarms.set({ alarm: name, subject, level }, 1)
  }
  showAlarms([])
  return {
    registry,
    observer,
    record(signs: Signs, found: readonly Alarm[]): void {
      for (const market of markets) {
        const state = signs.markets[market]
        paused.set({ market }, state.paused ? 1 : 0)
        judges.set({ market }, state.judges)
        freeJudges.set({ market }, state.freeJudges)
        due.set({ market }, state.due.count)
        oldestDue.set({ market }, state.due.oldest ? signs.block.timestamp - state.due.oldest.since : 0)
        const ends = state.court.cases.map(({ courtEnd }) => courtEnd - signs.block.timestamp)
        courtCases.set({ market }, ends.length)
        courtLeft.set({ market }, ends.length > 0 ? Math.min(...ends) : -1)
        surplus.set({ market, vault: 'escrow' }, Number(state.escrowSurplus) / 1e18)
        surplus.set({ market, vault: 'deposit' }, Number(state.depositSurplus) / 1e6)
        surplus.set({ market, vault: 'staking' }, Number(state.stakingSurplus) / 1e18)
      }
      queued.set(signs.queue.length)
      oracleAge.set(signs.oracleAge ?? -1)
      showAlarms(found)
      block.set(signs.block.timestamp)
    },
  }
}

export interface WatchOptions {
  providers: Pick<Providers, 'read'>
  deployments: Deployments
  expected: Expected
  metrics: ReturnType<typeof createWatchMetrics>
  log: Pick<Logger, 'error' | 'warn' | 'info'>
  pollMs: number
  signal: AbortSignal
  /** Called after each look. */
  onLook?: (signs: Signs) => void
}

/** Only one look sees a change of roles. It lasts for so long, or nobody would notice. */
const rolesSeconds = 3_600

/** Looks at the chain until the signal aborts. An alarm is one line when it begins, and one when it ends. */
export async function watch(options: WatchOptions): Promise<void> {
  const { providers, deployments, expected, metrics, log, pollMs, signal, onLook } = options
  let lasting = new Map<string, string>()
  let since = BigInt(deployments.startBlock)
  let isFirst = true
  let changed: { alarm: Alarm; until: number } | null = null
  const readSigns = createSignReader(deployments)
  while (!signal.aborted) {
    try {
      // Roles that were granted at the deployment are not news.
      if (isFirst) since = (await providers.read(({ client }) => client.getBlockNumber())) + 1n
      isFirst = false
      const signs = await providers.read((provider) => readSigns(provider, since))
      since = signs.block.number + 1n
      const found = judgeSigns(signs, expected)
      const roles = found.find(({ name }) => name === 'roles')
      if (roles) changed = { alarm: roles, until: signs.block.timestamp + rolesSeconds }
      else if (changed && signs.block.timestamp < changed.until) found.push(changed.alarm)
      metrics.record(signs, found)
      for (const { level, message, ...alarm } of found) {
        const key = describeAlarm(alarm)
        if (lasting.has(key)) continue
        if (level === 'page') log.error({ alarm: key, page: true }, message)
        else log.warn({ alarm: key }, message)
      }
      const next = new Map(found.map((alarm) => [describeAlarm(alarm), alarm.message]))
      for (const key of lasting.keys()) if (!next.has(key)) log.info({ alarm: key }, 'ended')
      lasting = next
      onLook?.(signs)
    } catch (error) {
      log.error(
        { err: error instanceof Error ? error.message.split('\n')[0] : String(error) },
        'cannot look at the chain',
      )
    }
    await setTimeout(pollMs, undefined, { signal }).catch(() => {})
  }
}

const describeAlarm = ({ name, subject }: Pick<Alarm, 'name' | 'subject'>) => `${subject} ${name}`
