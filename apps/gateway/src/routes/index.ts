import type { ReadRoute } from '../route.ts'
import { reputation, verifiers } from './leaderboard.ts'
import { marketOpen, marketRecent } from './market.ts'
import { task } from './task.ts'
import { treasury } from './treasury.ts'

/** Every read of a market, in the order of the spec, then ours. */
export const readRoutes: readonly ReadRoute[] = [marketOpen, marketRecent, task, reputation, verifiers, treasury]
