import type { Cursor } from '@svc/index'
import { type Market, markets } from '@svc/protocol'
import { getErrorMessage } from '@svc/serve'
import { ContestedBlockError } from './errors.ts'
import type { Progress } from './follow.ts'

/** The health of a market's index, for people and for probes. */
interface MarketHealth {
  ready: boolean
  /** What this process does for the market. */
  state: 'starting' | 'standby' | 'writing' | 'stalled' | 'halted'
  block: number | null
  /** The age of that block: how far readers are behind. */
  secondsBehind: number | null
  /** Why it is not ready; null if it is. */
  why: string | null
  /** The providers that contradict themselves or two others, and in what. */
  doubted: Record<string, string>
}

export interface Readiness {
  ready: boolean
  markets: Record<Market, MarketHealth>
}

/** An index whose last block is older is not ready, whatever the state of the process. */
const maxAgeSeconds = 30

/** Tracks the state of this process for each market and assesses readiness. */
export function createMarketHealth(now: () => number = Date.now) {
  const states = new Map<Market, MarketHealth['state']>()
  const stalls = new Map<Market, string>()
  const doubts = new Map<Market, Record<string, string>>()
  /** Markets whose last block a provider contests. */
  const contested = new Set<Market>()

  /** Assesses what the database has, since that is what readers see, no matter which process writes. */
  const assessHealth = (market: Market, cursor: Cursor | null): MarketHealth => {
    const secondsBehind = cursor && Math.max(0, Math.round(now() / 1000 - cursor.timestamp))
    const isRecent = secondsBehind !== null && secondsBehind < maxAgeSeconds
    const ready = isRecent && cursor?.halted === null && !contested.has(market)
    const late = cursor ? `the last block is ${secondsBehind} s old` : 'no block has been written yet'
    return {
      ready,
      state: states.get(market) ?? 'starting',
      block: cursor && Number(cursor.number),
      secondsBehind,
      why: ready ? null : (cursor?.halted ?? stalls.get(market) ?? late),
      doubted: doubts.get(market) ?? {},
    }
  }

  return {
    progress(market: Market, progress: Progress): void {
      if (progress.kind === 'stalled') {
        states.set(market, 'stalled')
        stalls.set(market, getErrorMessage(progress.error))
        if (progress.error instanceof ContestedBlockError) contested.add(market)
      } else if (progress.kind === 'standby' || progress.kind === 'halted') states.set(market, progress.kind)
      else {
        states.set(market, 'writing')
        stalls.delete(market)
        contested.delete(market)
      }
    },
    doubt(market: Market, provider: string, reason: string | null): void {
      const { [provider]: _, ...others } = doubts.get(market) ?? {}
      doubts.set(market, reason === null ? others : { ...others, [provider]: reason })
    },
    /** Returns whether every market is ready, and why one is not. */
    async readiness(readCursor: (market: Market) => Promise<Cursor | null>): Promise<Readiness> {
      const each = await Promise.all(
        markets.map(async (market) => {
          try {
            return [market, assessHealth(market, await readCursor(market))] as const
          } catch (error) {
            const health = assessHealth(market, null)
            return [
              market,
              { ...health, why: `the database does not answer: ${getErrorMessage(error as Error)}` },
            ] as const
          }
        }),
      )
      const health = Object.fromEntries(each) as Record<Market, MarketHealth>
      return { ready: each.every(([, { ready }]) => ready), markets: health }
    },
  }
}
