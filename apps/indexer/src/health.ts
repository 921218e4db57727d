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
  /** Why this process does not stand for what readers see; null if it does. */
  why: string | null
  markets: Record<Market, MarketHealth>
}

/** What the database has of a market. */
interface MarketRecord extends Pick<Cursor, 'number' | 'timestamp' | 'halted'> {
  /** Why no row can be relied on; null or absent if rows can. */
  fault?: string | null
}

/** Returns why a process does not stand for what readers see; null if it writes the serving build, or will if its writer stops. */
export function findServingFault(serving: string | null, follows: (build: string) => boolean): string | null {
  if (serving === null) return 'no build serves yet'
  return follows(serving) ? null : `build ${serving} serves, and this process does not write it`
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
  const assessHealth = (market: Market, cursor: MarketRecord | null): MarketHealth => {
    const secondsBehind = cursor && Math.max(0, Math.round(now() / 1000 - cursor.timestamp))
    const isRecent = secondsBehind !== null && secondsBehind < maxAgeSeconds
    const fault = cursor?.halted ?? cursor?.fault ?? null
    const ready = isRecent && fault === null && !contested.has(market)
    const late = cursor ? `the last block is ${secondsBehind} s old` : 'no block has been written yet'
    return {
      ready,
      state: states.get(market) ?? 'starting',
      block: cursor && Number(cursor.number),
      secondsBehind,
      why: ready ? null : (fault ?? stalls.get(market) ?? late),
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
    /** Returns whether every market is ready and this process has no fault itself, and why not. */
    async readiness(
      readMarket: (market: Market) => Promise<MarketRecord | null>,
      why: string | null = null,
    ): Promise<Readiness> {
      const each = await Promise.all(
        markets.map(async (market) => {
          try {
            return [market, assessHealth(market, await readMarket(market))] as const
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
      return { ready: why === null && each.every(([, { ready }]) => ready), why, markets: health }
    },
  }
}
