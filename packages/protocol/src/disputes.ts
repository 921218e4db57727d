import { bps, disputeFee, panelSizes } from './amounts.ts'
import type { Lack } from './guards.ts'
import type { DisputePhase } from './states.ts'

/** One seat of the panel. */
export interface SeatFacts {
  arbitrator: string
  voted: boolean
  workerBps: bigint
}

/** The dispute as guards see it. Times are unix seconds; zero means not set. */
export interface DisputeFacts {
  phase: DisputePhase
  poster: string
  worker: string
  /** 0 for the first panel, 1 and 2 for the appeals. */
  tier: number
  /** The first panel of this tier did not vote and was replaced. */
  reseated: boolean
  posterSpoke: boolean
  workerSpoke: boolean
  posterProposal: string | null
  workerProposal: string | null
  /** The current ruling: the worker's share of the disputed milestone, in basis points. */
  workerBps: bigint
  consentEnd: number
  seatEnd: number
  evidenceEnd: number
  rulingEnd: number
  appealEnd: number
  panel: readonly SeatFacts[]
}

/** The parameters of a call. The draw is one of them: the drawn panel is computed from a block hash before. */
export interface DisputeCallFacts {
  /** The arbitrator that is proposed, or named in the terms. */
  arbitrator: string | null
  /** The drawn panel; null if the block that decides the draw is not fixed yet. */
  panel: readonly string[] | null
  /** The block that decides the draw is fixed but not mined yet. */
  drawPending?: boolean
  workerBps: bigint
  hashGiven: boolean
}

/** One call on one dispute at one point in time. */
export interface DisputeSituation {
  now: number
  dispute: DisputeFacts
  caller: string
  call: DisputeCallFacts
  /** Whether a wallet is eligible: bonded for one more case, not unbonding, not a party, never seated in this dispute. */
  maySit: (wallet: string) => boolean
  /** Whether anyone is bonded and not unbonding, even without capacity for one more case. */
  somebodyBonded: boolean
  /** The part of a wallet's deposit that no task reserves. */
  free: (wallet: string) => bigint
}

export interface DisputeGuard {
  /** The custom error that the contract reverts with if the guard fails. */
  error: string
  /** The rule as text. */
  rule: string
  holds: (s: DisputeSituation) => boolean
  /** For a guard with a deadline: the last second at which it holds. */
  until?: (s: DisputeSituation) => number
  /** For a guard with a waiting time: the last second at which it does not hold yet. */
  after?: (s: DisputeSituation) => number
  /** For a guard that somebody can satisfy: what is missing while it fails. */
  lacks?: (s: DisputeSituation) => Lack
}

/** Who can call an operation, with the error for everyone else. */
export const disputeRoles = {
  party: 'NotParty',
  panel: 'NotOnPanel',
  registry: 'Unauthorized',
  anyone: null,
} as const

export type DisputeRole = keyof typeof disputeRoles

const topTier = panelSizes.length - 1

/**
 * Computes the bond that an appeal against the ruling of a tier reserves, in USDC units. It doubles with each tier.
 *
 * @example
 * ```ts
 * computeAppealBond(0) // 10_000_000n: 10 USDC for the first appeal
 * ```
 */
export const computeAppealBond = (tier: number): bigint => disputeFee << BigInt(tier + 1)

const atMost = (error: string, rule: string, until: (s: DisputeSituation) => number): DisputeGuard => ({
  error,
  rule,
  until,
  holds: (s) => s.now <= until(s),
})
const past = (error: string, rule: string, after: (s: DisputeSituation) => number): DisputeGuard => ({
  error,
  rule,
  after,
  holds: (s) => s.now > after(s),
})
const isPoster = ({ caller, dispute }: DisputeSituation): boolean => caller === dispute.poster
const votes = ({ dispute }: DisputeSituation): number => dispute.panel.filter((seat) => seat.voted).length

/** Every rule of the dispute table. As in the lifecycle, "at most" guards limit a duty and "past" guards open a default. */
export const disputeGuards = {
  inSeatWindow: atMost('SeatWindowClosed', 'at most the seat window', (s) => s.dispute.seatEnd),
  pastSeatWindow: past('NotTimedOut', 'past the seat window', (s) => s.dispute.seatEnd),
  pastConsent: past('ConsentWindowOpen', 'past the consent window, unless it is an appeal or a second panel', (s) =>
    s.dispute.tier > 0 || s.dispute.reseated ? 0 : s.dispute.consentEnd,
  ),
  eligible: {
    error: 'NotEligible',
    rule: 'the arbitrator is bonded with 1,000 TOK for each open case and this one, no party, and new to this dispute',
    holds: (s) => s.call.arbitrator !== null && s.maySit(s.call.arbitrator),
  },
  somebodyBonded: { error: 'NobodyToSeat', rule: 'an arbitrator is bonded', holds: (s) => s.somebodyBonded },
  drawNotPending: {
    error: 'DrawPending',
    rule: 'no draw is waiting for its block',
    holds: (s) => !s.call.drawPending,
  },
  drawn: {
    error: 'NobodyToSeat',
    rule: 'the draw found one to 1, 3 or 5 arbitrators, by tier, who may sit',
    holds: ({ call: { panel }, dispute, maySit }) =>
      panel !== null &&
      panel.length > 0 &&
      panel.length <= (panelSizes[dispute.tier] ?? 0) &&
      new Set(panel).size === panel.length &&
      panel.every(maySit),
  },
  hashGiven: { error: 'HashMissing', rule: 'a hash is given', holds: (s) => s.call.hashGiven },
  inEvidenceWindow: atMost('EvidenceWindowClosed', 'at most the evidence window', (s) => s.dispute.evidenceEnd),
  beforeRecordCloses: atMost('EvidenceWindowClosed', 'at most the seat window', (s) => s.dispute.seatEnd),
  notSpoken: {
    error: 'AlreadySpoke',
    rule: 'the party has not spoken on this tier',
    holds: (s) => !(isPoster(s) ? s.dispute.posterSpoke : s.dispute.workerSpoke),
  },
  notVoted: {
    error: 'AlreadyVoted',
    rule: 'the member has not voted',
    holds: (s) => s.dispute.panel.some((seat) => seat.arbitrator === s.caller && !seat.voted),
  },
  share: {
    error: 'InvalidShare',
    rule: 'the share is 0 to 10,000 basis points',
    holds: (s) => s.call.workerBps >= 0n && s.call.workerBps <= bps,
  },
  heard: past('EvidenceWindowOpen', 'both parties spoke, or past the evidence window', (s) =>
    s.dispute.posterSpoke && s.dispute.workerSpoke ? 0 : s.dispute.evidenceEnd,
  ),
  inRulingWindow: atMost('RulingWindowClosed', 'at most the ruling window', (s) => s.dispute.rulingEnd),
  pastRulingWindow: past('NotTimedOut', 'past the ruling window', (s) => s.dispute.rulingEnd),
  belowTopTier: {
    error: 'NoFurtherAppeal',
    rule: 'the ruling is not that of the second appeal',
    holds: (s) => s.dispute.tier < topTier,
  },
  inAppealWindow: atMost('AppealWindowClosed', 'at most the appeal window', (s) => s.dispute.appealEnd),
  pastAppealWindow: past(
    'AppealWindowOpen',
    'past the appeal window; there is none after the second appeal',
    (s) => s.dispute.appealEnd,
  ),
  somethingToGain: {
    error: 'NothingToAppeal',
    rule: 'the party did not get everything',
    holds: (s) => s.dispute.workerBps !== (isPoster(s) ? 0n : bps),
  },
  appealBond: {
    error: 'InsufficientDeposit',
    rule: "the party's free deposit covers the appeal bond: USD 10, then 20",
    holds: (s) => s.free(s.caller) >= computeAppealBond(s.dispute.tier),
    lacks: (s) => ({
      amount: { token: 'usdc', have: s.free(s.caller), need: computeAppealBond(s.dispute.tier) },
      cure: { action: 'top-up', by: s.caller },
    }),
  },
} as const satisfies Record<string, DisputeGuard>

export type DisputeGuardName = keyof typeof disputeGuards

/** Conditions that select between rows of the same operation and phase. They never reject a call by themselves. */
export const disputeConditions = {
  'the named arbitrator may sit': (s: DisputeSituation) => s.call.arbitrator !== null && s.maySit(s.call.arbitrator),
  'nobody to seat at once': (s: DisputeSituation) => s.call.arbitrator === null || !s.maySit(s.call.arbitrator),
  'both name the same': (s: DisputeSituation) =>
    s.call.arbitrator === (isPoster(s) ? s.dispute.workerProposal : s.dispute.posterProposal),
  'the other named nobody or another': (s: DisputeSituation) =>
    s.call.arbitrator !== (isPoster(s) ? s.dispute.workerProposal : s.dispute.posterProposal),
  'the draw is still to be fixed': (s: DisputeSituation) => s.call.panel === null,
  'the draw is known': (s: DisputeSituation) => s.call.panel !== null,
  'others still have to vote': (s: DisputeSituation) => votes(s) + 1 < s.dispute.panel.length,
  'the last vote': (s: DisputeSituation) => votes(s) + 1 >= s.dispute.panel.length,
  'somebody voted': (s: DisputeSituation) => votes(s) > 0,
  'the first panel was silent': (s: DisputeSituation) => votes(s) === 0 && !s.dispute.reseated,
  'the second panel was silent': (s: DisputeSituation) => votes(s) === 0 && s.dispute.reseated,
} as const

/** The money that a transition moves. */
export type DisputeMove =
  /** Raises both parties' reserves for the task back to USD 8, as far as their deposits allow. */
  | { move: 'refill reserves' }
  /** Adds the bond to the appellant's reserve. */
  | { move: 'reserve appeal bond' }
  /** Slashes each member that did not vote; half goes to each party. */
  | { move: 'slash silent' }
  /**
   * Collects the fee from the loser, or half from each party, and the bonds of failed appeals. The bench shares it equally.
   * The last appeal is skipped if no panel heard it.
   */
  | { move: 'collect'; ruling: 'standing' | 'for the worker' | 'shared'; appeals: 'all' | 'all but the last' | 'none' }
  /** Frees the worker's appeal bonds, because the task continues. */
  | { move: 'free appeal bonds' }
  /** Lets the registry pay out the ruling and end the task. */
  | { move: 'settle task' }

/** What a transition changes besides phase and money. */
export type DisputeEffect =
  | 'open case'
  | 'note proposal'
  | 'seat arbitrator'
  | 'seat panel'
  | 'note evidence'
  | 'note vote'
  | 'rule'
  | 'rule by record'
  | 'appeal'
  | 'remove silent'
  | 'replace panel'
  | 'free panel'

/** One row of the table: operation, phase, role, and guards in the order in which the contract checks them. */
export interface DisputeTransition {
  operation: string
  from: DisputePhase
  /** Chooses between rows with the same operation and phase. */
  when?: keyof typeof disputeConditions
  by: DisputeRole
  guards: readonly DisputeGuardName[]
  to: DisputePhase
  effects: readonly DisputeEffect[]
  money: readonly DisputeMove[]
}

const inPhases = (
  phases: readonly DisputePhase[],
  row: Omit<DisputeTransition, 'from'>,
): readonly DisputeTransition[] => phases.map((from) => ({ ...row, from }))

const closeByRecord = [
  { move: 'collect', ruling: 'standing', appeals: 'all but the last' },
  { move: 'settle task' },
] as const satisfies readonly DisputeMove[]

/** The dispute table. A call that matches no row by operation and phase reverts with WrongPhase. */
export const disputes: readonly DisputeTransition[] = [
  ...inPhases(['NONE', 'CLOSED'], {
    operation: 'open',
    when: 'nobody to seat at once',
    by: 'registry',
    guards: [],
    to: 'OPEN',
    effects: ['open case'],
    money: [{ move: 'refill reserves' }],
  }),
  ...inPhases(['NONE', 'CLOSED'], {
    operation: 'open',
    when: 'the named arbitrator may sit',
    by: 'registry',
    guards: [],
    to: 'EVIDENCE',
    effects: ['open case', 'seat arbitrator'],
    money: [{ move: 'refill reserves' }],
  }),
  ...inPhases(['OPEN', 'EVIDENCE', 'RULED'], {
    operation: 'concede',
    by: 'registry',
    guards: [],
    to: 'CLOSED',
    effects: ['free panel'],
    money: [{ move: 'collect', ruling: 'for the worker', appeals: 'all' }, { move: 'free appeal bonds' }],
  }),
  ...inPhases(['OPEN', 'EVIDENCE', 'RULED'], {
    operation: 'abandon',
    by: 'registry',
    guards: [],
    to: 'CLOSED',
    effects: ['free panel'],
    money: [{ move: 'collect', ruling: 'shared', appeals: 'none' }],
  }),
  {
    operation: 'propose',
    from: 'OPEN',
    when: 'the other named nobody or another',
    by: 'party',
    guards: ['inSeatWindow', 'eligible'],
    to: 'OPEN',
    effects: ['note proposal'],
    money: [],
  },
  {
    operation: 'propose',
    from: 'OPEN',
    when: 'both name the same',
    by: 'party',
    guards: ['inSeatWindow', 'eligible'],
    to: 'EVIDENCE',
    effects: ['seat arbitrator'],
    money: [],
  },
  {
    operation: 'seat',
    from: 'OPEN',
    when: 'the draw is still to be fixed',
    by: 'anyone',
    guards: ['pastConsent', 'inSeatWindow', 'drawNotPending', 'somebodyBonded'],
    to: 'OPEN',
    effects: [],
    money: [],
  },
  {
    operation: 'seat',
    from: 'OPEN',
    when: 'the draw is known',
    by: 'anyone',
    guards: ['pastConsent', 'inSeatWindow', 'drawn'],
    to: 'EVIDENCE',
    effects: ['seat panel'],
    money: [],
  },
  {
    operation: 'submitEvidence',
    from: 'OPEN',
    by: 'party',
    guards: ['hashGiven', 'beforeRecordCloses', 'notSpoken'],
    to: 'OPEN',
    effects: ['note evidence'],
    money: [],
  },
  {
    operation: 'submitEvidence',
    from: 'EVIDENCE',
    by: 'party',
    guards: ['hashGiven', 'inEvidenceWindow', 'notSpoken'],
    to: 'EVIDENCE',
    effects: ['note evidence'],
    money: [],
  },
  {
    operation: 'resolve',
    from: 'EVIDENCE',
    when: 'others still have to vote',
    by: 'panel',
    guards: ['notVoted', 'share', 'hashGiven', 'heard', 'inRulingWindow'],
    to: 'EVIDENCE',
    effects: ['note vote'],
    money: [],
  },
  {
    operation: 'resolve',
    from: 'EVIDENCE',
    when: 'the last vote',
    by: 'panel',
    guards: ['notVoted', 'share', 'hashGiven', 'heard', 'inRulingWindow'],
    to: 'RULED',
    effects: ['note vote', 'rule'],
    money: [],
  },
  {
    operation: 'escalate',
    from: 'RULED',
    by: 'party',
    guards: ['belowTopTier', 'inAppealWindow', 'somethingToGain', 'appealBond'],
    to: 'OPEN',
    effects: ['appeal'],
    money: [{ move: 'reserve appeal bond' }],
  },
  {
    operation: 'finalize',
    from: 'RULED',
    by: 'anyone',
    guards: ['pastAppealWindow'],
    to: 'CLOSED',
    effects: [],
    money: [{ move: 'collect', ruling: 'standing', appeals: 'all' }, { move: 'settle task' }],
  },
  {
    operation: 'resolveTimedOut',
    from: 'OPEN',
    by: 'anyone',
    guards: ['pastSeatWindow'],
    to: 'CLOSED',
    effects: ['rule by record'],
    money: closeByRecord,
  },
  {
    operation: 'resolveTimedOut',
    from: 'EVIDENCE',
    when: 'somebody voted',
    by: 'anyone',
    guards: ['pastRulingWindow'],
    to: 'RULED',
    effects: ['remove silent', 'rule'],
    money: [{ move: 'slash silent' }],
  },
  {
    operation: 'resolveTimedOut',
    from: 'EVIDENCE',
    when: 'the first panel was silent',
    by: 'anyone',
    guards: ['pastRulingWindow'],
    to: 'OPEN',
    effects: ['remove silent', 'replace panel'],
    money: [{ move: 'slash silent' }],
  },
  {
    operation: 'resolveTimedOut',
    from: 'EVIDENCE',
    when: 'the second panel was silent',
    by: 'anyone',
    guards: ['pastRulingWindow'],
    to: 'CLOSED',
    effects: ['remove silent', 'rule by record'],
    money: [{ move: 'slash silent' }, ...closeByRecord],
  },
]
