import type { Provider } from '@svc/chain'
import { FalseDataError, ProviderDisagreementError } from './errors.ts'

/** Decides which two providers the next step is read from, and remembers who contradicted the others. */
export interface ProviderRing {
  /** The providers in order: the first is read, and the second must agree. */
  order: () => readonly Provider[]
  /** The first two of this order agreed on blocks that are now written. */
  agreed: (order: readonly Provider[]) => void
  /** A step failed: another pair is tried next. */
  failed: (error: Error) => void
  /** There was nothing new. A provider that lags says so too, so another one is asked first. */
  rotate: () => void
  /** Whether no provider is doubted. */
  allTrusted: () => boolean
  /** Whether one provider is alone because the others are refuted. What it says must be proven. */
  isReduced: () => boolean
}

/** Called when a provider is doubted, with the reason, and with null when it is trusted again. */
export type OnDoubt = (provider: string, reason: string | null) => void

/** Written steps until a doubted provider is compared again; doubled each time that it fails. */
const firstTrial = 64
const lastTrial = 4_096

/**
 * Creates a ring. No provider is trusted alone: a step is written only if two agree on it. If two disagree and a third one
 * agrees with either, the other is doubted. It comes last until it has agreed with another provider on a whole step. One that
 * returned what cannot be true is left out, even if only one other remains. One that is silent or slow comes after the others.
 */
export function createProviderRing(providers: readonly Provider[], onDoubt: OnDoubt = () => {}): ProviderRing {
  const doubts = new Map<string, { trialAt: number; wait: number; isRefuted: boolean }>()
  /** Disagreements that no third provider has decided yet, by the names of the two. */
  const disputes = new Map<string, ProviderDisagreementError>()
  let [turn, steps, failures] = [0, 0, 0]

  const rank = ({ rpc }: Provider) => {
    const found = doubts.get(rpc.name)
    return !found ? 0 : found.trialAt <= steps ? 1 : 2
  }
  const isLeftOut = ({ rpc }: Provider) => {
    const found = doubts.get(rpc.name)
    return found?.isRefuted === true && found.trialAt > steps
  }
  const getHealth = ({ rpc }: Provider) => rpc.health?.rank() ?? 0
  const isSilent = (provider: Provider) => Number(getHealth(provider) === 2)
  const doubt = (name: string, reason: string, isRefuted: boolean) => {
    const known = doubts.get(name)
    const wait = known ? Math.min(lastTrial, 2 * known.wait) : firstTrial
    doubts.set(name, { trialAt: steps + wait, wait, isRefuted: isRefuted || (known?.isRefuted ?? false) })
    if (!known) onDoubt(name, reason)
  }

  const listLeft = () => providers.filter((each) => !isLeftOut(each))

  return {
    order() {
      const left = listLeft()
      const able = left.length > 0 ? left : providers
      const start = turn % able.length
      const rotated = [...able.slice(start), ...able.slice(0, start)]
      // After a failure every pair has its turn, so a doubted provider can replace one that is gone.
      if (failures > 0) return rotated.toSorted((a, b) => isSilent(a) - isSilent(b))
      const sorted = rotated.toSorted(
        (a, b) => isSilent(a) - isSilent(b) || rank(a) - rank(b) || getHealth(a) - getHealth(b),
      )
      const tried = sorted.find((each) => rank(each) === 1 && !isSilent(each))
      return tried ? [...new Set([...sorted.slice(0, 1), tried, ...sorted])] : sorted
    },
    agreed(order) {
      const pair = order.slice(0, 2).map(({ rpc }) => rpc.name)
      steps++
      failures = 0
      for (const name of pair) if (doubts.delete(name)) onDoubt(name, null)
      // One alone decides nothing between two others.
      if (pair.length < 2) return
      for (const { providers: named, message } of disputes.values())
        for (const name of named) if (!pair.includes(name)) doubt(name, message, false)
      disputes.clear()
    },
    failed(error) {
      turn++
      failures++
      if (!(error instanceof ProviderDisagreementError) || error.providers.length === 0 || providers.length === 1)
        return
      const [only, ...others] = error.providers
      const isRefuted = error instanceof FalseDataError
      if (isRefuted) for (const name of error.providers) doubt(name, error.message, true)
      else if (only && others.length === 0) doubt(only, error.message, false)
      else disputes.set(error.providers.toSorted().join(), error)
    },
    rotate() {
      turn++
    },
    allTrusted: () => doubts.size === 0,
    isReduced: () => providers.length > 1 && listLeft().length === 1,
  }
}
