import { bps, disputeFee, panelSizes } from './amounts.ts'
import type { DisputePhase } from './states.ts'

/** A seat of the bench. */
export interface SeatFacts {
  arbitrator: string
  voted: boolean
  workerBps: bigint
}

/** What a guard may know of a dispute. Times are unix seconds; zero means not set. */
export interface DisputeFacts {
  phase: DisputePhase
  poster: string
  worker: string
  /** 0, 1, 2: the first panel, and those of the two appeals. */
  tier: number
  /** The panel of this tier was silent once and has been replaced. */
  reseated: boolean
  posterSpoke: boolean
  workerSpoke: boolean
  posterProposal: string | null
  workerProposal: string | null
  /** The ruling that stands, in basis points of the disputed milestone. */
  workerBps: bigint
  consentEnd: number
  seatEnd: number
  evidenceEnd: number
  rulingEnd: number
  appealEnd: number
  panel: readonly SeatFacts[]
}

/** What the caller asks for. Chance is part of the call: who was drawn is read from a block hash by the edge. */
export interface DisputeCallFacts {
  /** Who is proposed, or named by the terms. */
  arbitrator: string | null
  /** Who was drawn; null while the block that decides is still to be fixed. */
  panel: readonly string[] | null
  /** The block that decides the draw is fixed and still to come. */
  drawPending?: boolean
  workerBps: bigint
  hashGiven: boolean
}

/** One call on one dispute at one moment. */
export interface DisputeSituation {
  now: number
  dispute: DisputeFacts
  caller: string
  call: DisputeCallFacts
  /** Bonded enough for one more case, not unbonding, no party, and not seated in this dispute before. */
  maySit: (wallet: string) => boolean
  /** Somebody is bonded enough to be drawn and not unbonding, with room for one more case or not. */
  somebodyBonded: boolean
  /** The part of a wallet's deposit that no task reserves. */
  free: (wallet: string) => bigint
}

export interface DisputeGuard {
  /** The custom error the contract answers with when the guard does not hold. */
  error: string
  /** The rule in words. */
  rule: string
  holds: (s: DisputeSituation) => boolean
  /** The last moment at which the guard holds, where that is a matter of time. */
  until?: (s: DisputeSituation) => number
  /** The moment past which the guard holds, where that is a matter of time. */
  after?: (s: DisputeSituation) => number
}

/** Who may call an operation; the error is what anyone else gets. */
export const disputeRoles = {
  party: 'NotParty',
  panel: 'NotOnPanel',
  registry: 'Unauthorized',
  anyone: null,
} as const

export type DisputeRole = keyof typeof disputeRoles

const topTier = panelSizes.length - 1

/** What an appeal from this tier reserves of the appellant: twice the fee, then twice that. */
export const appealBond = (tier: number): bigint => disputeFee << BigInt(tier + 1)

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

/** Every rule the dispute table refers to. As in the lifecycle, "at most" belongs to a duty and "past" to a default. */
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
    holds: (s) => s.free(s.caller) >= appealBond(s.dispute.tier),
  },
} as const satisfies Record<string, DisputeGuard>

export type DisputeGuardName = keyof typeof disputeGuards

/** Facts of the situation, not faults of the caller: they choose what an operation means. */
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

/** What a transition moves. */
export type DisputeMove =
  /** Both parties' reserves for the task up to USD 8 again, as far as their deposits go. */
  | { move: 'refill reserves' }
  /** The appellant's reserve grows by the bond. */
  | { move: 'reserve appeal bond' }
  /** Each silent member's slash, half to each party. */
  | { move: 'slash silent' }
  /**
   * The fee from who lost, or half from each, and the bonds of appeals that won nothing: in equal parts to the bench.
   * The last appeal is left out when nobody heard it.
   */
  | { move: 'collect'; ruling: 'standing' | 'for the worker' | 'shared'; appeals: 'all' | 'all but the last' | 'none' }
  /** What the worker put up for appeals is free again, for the task goes on. */
  | { move: 'free appeal bonds' }
  /** The registry pays the ruling and ends the task. */
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

/** One row: this operation, in this phase, by this role, under these guards, in the order the contract checks them. */
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

/** The disputes. A call that matches no row by operation and phase is refused with WrongPhase. */
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
