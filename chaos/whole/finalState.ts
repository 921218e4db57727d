import type { MarketReader, Provider } from '@svc/chain'
import type { Sql } from 'postgres'
import type { LocalAccount } from 'viem'
import { canonicalJson } from '../shared/findMismatch.ts'
import type { Agreements } from './agreements.ts'
import type { Deliveries } from './deliveries.ts'
import type { Follower } from './follower.ts'
import type { HttpClient } from './httpClient.ts'
import type { PlannedChain } from './plannedChain.ts'
import type { Services } from './services.ts'
import type { Surfaces } from './surfaces.ts'
import type { Tally } from './tally.ts'
import type { TaskRun } from './taskRun.ts'

/** Everything the final checks read. The chain has stopped, and every service is healthy. */
export interface FinalState {
  chain: PlannedChain
  provider: Provider
  /** Reads straight from the chain. */
  direct: MarketReader
  sql: Sql
  services: Services
  wallets: readonly LocalAccount[]
  runs: readonly TaskRun[]
  agreements: Agreements
  deliveries: Deliveries | null
  followers: readonly Follower[]
  surfaces: Surfaces
  http: HttpClient
  tally: Tally
}

/** Records a failure, with the first difference, if two values are not equal. */
export function expectSame(
  { tally }: Pick<FinalState, 'tally'>,
  what: string,
  actual: unknown,
  expected: unknown,
): void {
  tally.count('compared', what.split(' of ')[0] ?? what)
  const [ours, theirs] = [canonicalJson(actual), canonicalJson(expected)]
  if (ours === theirs) return
  const at = [...ours].findIndex((letter, index) => letter !== theirs[index])
  const from = Math.max(0, at - 80)
  tally.fail(`${what} differs: got …${ours.slice(from, at + 160)}…, expected …${theirs.slice(from, at + 160)}…`)
}
