import type { Cursor } from '@svc/index'
import { type Market, markets } from '@svc/protocol'
import type { Progress } from './follow.ts'
import { textOf } from './report.ts'

/** How the index of a market stands, for people and for probes. */
interface MarketHealth {
  ready: boolean
  /** What this process does for it. */
  state: 'starting' | 'standby' | 'writing' | 'stalled' | 'halted'
  block: number | null
  /** How old that block is: so far readers are behind. */
  secondsBehind: number | null
  /** Why it is not ready; null when it is. */
  why: string | null
}

export interface Readiness {
  ready: boolean
  markets: Record<Market, MarketHealth>
}

/** An index whose last block is older is not ready, whatever the process thinks of itself. */
const maxAgeSeconds = 30

/** Remembers what this process does for each market. */
export function createHealth(now: () => number = Date.now) {
  const states = new Map<Market, MarketHealth['state']>()
  const stalls = new Map<Market, string>()

  /** Judges by what the database has, which is what readers see, whoever writes it. */
  const healthOf = (market: Market, cursor: Cursor | null): MarketHealth => {
    const secondsBehind = cursor && Math.max(0, Math.round(now() / 1000 - cursor.timestamp))
    const ready = secondsBehind !== null && secondsBehind < maxAgeSeconds && cursor?.halted === null
    const late = cursor ? `the last block is ${secondsBehind} s old` : 'no block is written yet'
    return {
      ready,
      state: states.get(market) ?? 'starting',
      block: cursor && Number(cursor.number),
      secondsBehind,
      why: ready ? null : (cursor?.halted ?? stalls.get(market) ?? late),
    }
  }

  return {
    progress(market: Market, progress: Progress): void {
      if (progress.kind === 'stalled') {
        states.set(market, 'stalled')
        stalls.set(market, textOf(progress.error))
      } else if (progress.kind === 'standby' || progress.kind === 'halted') states.set(market, progress.kind)
      else {
        states.set(market, 'writing')
        stalls.delete(market)
      }
    },
    /** Whether every market is fresh, and for each that is not, by how much and why. */
    async readiness(cursorOf: (market: Market) => Promise<Cursor | null>): Promise<Readiness> {
      const each = await Promise.all(
        markets.map(async (market) => {
          try {
            return [market, healthOf(market, await cursorOf(market))] as const
          } catch (error) {
            const health = healthOf(market, null)
            return [market, { ...health, why: `the database does not answer: ${textOf(error as Error)}` }] as const
          }
        }),
      )
      const health = Object.fromEntries(each) as Record<Market, MarketHealth>
      return { ready: each.every(([, { ready }]) => ready), markets: health }
    },
  }
}
