import type { Deployments } from '@svc/chain'

/** A chain to be indexed. It listens at two URLs that stand for two providers. */
export interface BenchChain {
  urls: readonly string[]
  deployments: Deployments
  /** The newest block. */
  head: number
  /** How many events both markets have up to it. */
  events: number
  stop: () => Promise<void>
}
