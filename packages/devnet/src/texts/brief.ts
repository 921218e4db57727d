import type { Person } from '../accounts.ts'
import type { Work } from '../sealWork.ts'

/** What a task of the demo world asks for. One TOK is USD 0.0025. */
export interface Brief {
  title: string
  tags?: readonly string[]
  /** What must be true for the work to be accepted, in Markdown. */
  criteria: string
  milestones: readonly {
    title: string
    /** Whole TOK. */
    tok: number
    /** Time to deliver. Default: what the scenario's own times are made for. */
    hours?: number
  }[]
}

/** A funded task that can be claimed. */
export interface OpenOffer extends Brief {
  poster: Person
  postedHoursAgo: number
  /** Hours until the claim deadline. */
  closesInHours: number
  /** Only workers with the poster's permit may claim. */
  permitOnly?: true
}

/** A task of one milestone that was delivered and paid without trouble. */
export interface FinishedTask extends Brief {
  /** Default: notes that go through the brief. */
  delivery?: Work
  poster: Person
  worker: Person
  postedHoursAgo: number
  paidHoursAgo: number
}

/** The bundles of one task. Every list is in the order of the chain. */
export interface TaskWork {
  deliveries: readonly Work[]
  requests: readonly Work[]
  /** The evidence with which the poster opens a dispute. */
  complaint: Work
  /** The worker's evidence. */
  answer: Work
  /** The judge's reasons. */
  reasons: Work
  /** The final court's reasons. */
  decision: Work
}
