import type { MarketReader, Provider } from '@svc/chain'
import type { Sql } from 'postgres'
import type { LocalAccount } from 'viem'
import type { Agreements } from './agree.ts'
import type { Call } from './call.ts'
import type { Crew } from './crew.ts'
import type { Follower } from './follower.ts'
import type { Life } from './life.ts'
import type { PlannedChain } from './plannedChain.ts'
import type { Surfaces } from './surfaces.ts'
import type { Tally } from './tally.ts'

/** All that is judged when the chain stands still and everybody is well. */
export interface Final {
  chain: PlannedChain
  provider: Provider
  /** Straight from the chain. */
  direct: MarketReader
  sql: Sql
  crew: Crew
  wallets: readonly LocalAccount[]
  lives: readonly Life[]
  agreements: Agreements
  followers: readonly Follower[]
  surfaces: Surfaces
  call: Call
  tally: Tally
}

/** Notes two things that must be the same, and where they first differ. */
export function demandSame({ tally }: Pick<Final, 'tally'>, what: string, said: unknown, truth: unknown): void {
  tally.count('compared', what.split(' of ')[0] ?? what)
  const [ours, theirs] = [spell(said), spell(truth)]
  if (ours === theirs) return
  const at = [...ours].findIndex((letter, index) => letter !== theirs[index])
  const from = Math.max(0, at - 80)
  tally.fault(`${what} differs: …${ours.slice(from, at + 160)}… is said, …${theirs.slice(from, at + 160)}… is true`)
}

const spell = (value: unknown): string =>
  JSON.stringify(value, (_, each) => {
    if (typeof each === 'bigint') return `${each}n`
    if (each === null || typeof each !== 'object' || Array.isArray(each)) return each
    return Object.fromEntries(Object.entries(each).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }) ?? 'undefined'
