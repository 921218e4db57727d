import type { Market } from '@svc/protocol'

/** Called with the reason why a provider is doubted in a market; null if it is trusted. */
export type PublishDoubt = (market: Market, provider: string, reason: string | null) => void

/**
 * Remembers which providers each build doubts, and publishes the doubts of one build per market. Two builds may follow a market
 * in one process, and they come to know a provider at different blocks.
 */
export function createDoubts(publish: PublishDoubt) {
  const known = new Map<string, Map<string, string>>()
  const shown = new Map<Market, string>()
  const getDoubts = (build: string, market: Market): Map<string, string> => {
    const key = `${build} ${market}`
    const found = known.get(key) ?? new Map<string, string>()
    known.set(key, found)
    return found
  }

  return {
    /** A build begins to doubt a provider, or trusts it again. */
    change(build: string, market: Market, provider: string, reason: string | null): void {
      const doubts = getDoubts(build, market)
      if (reason === null) doubts.delete(provider)
      else doubts.set(provider, reason)
      if (shown.get(market) === build) publish(market, provider, reason)
    },
    /** Publishes the doubts of this build from now on, in place of those of another. */
    show(build: string, market: Market): void {
      const before = shown.get(market)
      if (before === build) return
      shown.set(market, build)
      const doubts = getDoubts(build, market)
      if (before !== undefined)
        for (const provider of getDoubts(before, market).keys())
          if (!doubts.has(provider)) publish(market, provider, null)
      for (const [provider, reason] of doubts) publish(market, provider, reason)
    },
    /** A build is no longer followed, so it doubts nobody. */
    forget(build: string, market: Market): void {
      if (shown.get(market) === build)
        for (const provider of getDoubts(build, market).keys()) publish(market, provider, null)
      known.delete(`${build} ${market}`)
    },
  }
}
