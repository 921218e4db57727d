import type { Market } from '@svc/protocol'
import type { Brief, FinishedTask, OpenOffer } from './texts/brief.ts'
import { microBriefs } from './texts/microBriefs.ts'
import { microFinished, microOffers } from './texts/microOffers.ts'
import { standardBriefs } from './texts/standardBriefs.ts'
import { standardFinished, standardOffers } from './texts/standardOffers.ts'

export type { Brief } from './texts/brief.ts'

/** A scenario that plays a state or phase, in both markets. */
export type StateScenarioName = keyof typeof standardBriefs
export type ScenarioName = StateScenarioName | `offer${number}` | `finished${number}`

/** The texts and amounts of the demo world's tasks. */
export const briefs: Record<Market, Record<StateScenarioName, Brief>> = { standard: standardBriefs, micro: microBriefs }
export const openOffers: Record<Market, readonly OpenOffer[]> = { standard: standardOffers, micro: microOffers }
export const finishedTasks: Record<Market, readonly FinishedTask[]> = {
  standard: standardFinished,
  micro: microFinished,
}
