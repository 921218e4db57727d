import { appealFee, bps } from './amounts.ts'
import type { Lack } from './guards.ts'
import type { DisputePhase } from './states.ts'

/** The dispute as guards see it. Times are unix seconds; zero means not set. */
export interface DisputeFacts {
  phase: DisputePhase
  poster: string
  worker: string
  openedByPoster: boolean
  posterSpoke: boolean
  workerSpoke: boolean
  posterProposal: string | null
  workerProposal: string | null
  /** The arbitrator of the terms. */
  named: string | null
  judge: string | null
  /** A judge has ruled, and for whom. */
  ruled: boolean
  forWorker: boolean
  /** The worker's share that the poster offers and the one that the worker asks for, in basis points of the milestone. */
  offerBps: bigint
  askBps: bigint
  consentEnd: number
  evidenceEnd: number
  rulingEnd: number
  appealEnd: number
  courtEnd: number
}

/** The parameters of a call. The draw is one of them: the judge is computed from a block hash before. */
export interface DisputeCallFacts {
  /** The arbitrator that is proposed. */
  arbitrator: string | null
  /** `unfixed`: no block is fixed yet. `pending`: it is not mined yet. `known`: it is, or the chain has forgotten it. */
  draw: 'unfixed' | 'pending' | 'known'
  /** Whom a known draw found. */
  drawn: string | null
  /** The worker's share that a party names. */
  shareBps: bigint
  /** Whose share a judge or the final court picks. */
  forWorker: boolean
  hashGiven: boolean
}

/** One call on one dispute at one point in time. */
export interface DisputeSituation {
  now: number
  dispute: DisputeFacts
  caller: string
  finalCourt: string
  call: DisputeCallFacts
  /** Whether a wallet is bonded, not unbonding, and has enough of its bond unlocked for this case. */
  canTakeCase: (wallet: string) => boolean
  /** Whether anyone is bonded and not unbonding, even without room for one more case. */
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

/** Who can call an operation, with the error for everyone else. `candidate`: named by the terms or by both parties. */
export const disputeRoles = {
  party: 'NotParty',
  candidate: 'NotProposed',
  judge: 'NotJudge',
  loser: 'NotLoser',
  court: 'NotFinalCourt',
  registry: 'Unauthorized',
  anyone: null,
} as const

export type DisputeRole = keyof typeof disputeRoles

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
const isParty = ({ dispute }: DisputeSituation, wallet: string | null): boolean =>
  wallet === dispute.poster || wallet === dispute.worker
/** The two shares after the call of a party that names one. */
const sharesAfter = (s: DisputeSituation): { offerBps: bigint; askBps: bigint } =>
  isPoster(s)
    ? { offerBps: s.call.shareBps, askBps: s.dispute.askBps }
    : { offerBps: s.dispute.offerBps, askBps: s.call.shareBps }

/** Every rule of the dispute table. As in the lifecycle, "at most" guards limit a duty and "past" guards open a default. */
export const disputeGuards = {
  pastConsent: past('ConsentWindowOpen', 'past the consent window', (s) => s.dispute.consentEnd),
  inEvidenceWindow: atMost('EvidenceWindowClosed', 'at most the evidence window', (s) => s.dispute.evidenceEnd),
  pastEvidenceWindow: past('NotTimedOut', 'past the evidence window', (s) => s.dispute.evidenceEnd),
  eligible: {
    error: 'NotEligible',
    rule: 'enough of the bond is unlocked: five quarters of the milestone, at least 2,000 TOK',
    holds: (s) => s.canTakeCase(s.caller),
  },
  notAParty: {
    error: 'NotEligible',
    rule: 'no party judges its own case',
    holds: (s) => !isParty(s, s.call.arbitrator),
  },
  drawNotPending: {
    error: 'DrawPending',
    rule: 'no draw is waiting for its block',
    holds: (s) => s.call.draw !== 'pending',
  },
  hashGiven: { error: 'HashMissing', rule: 'a hash is given', holds: (s) => s.call.hashGiven },
  shareBetween: {
    error: 'ShareOutOfRange',
    rule: 'the share lies between the two that the parties name: each moves only towards the other',
    holds: ({ call, dispute }) => call.shareBps >= dispute.offerBps && call.shareBps <= dispute.askBps,
  },
  heard: past('EvidenceWindowOpen', 'both parties spoke, a judge ruled, or past the evidence window', (s) =>
    (s.dispute.posterSpoke && s.dispute.workerSpoke) || s.dispute.ruled ? 0 : s.dispute.evidenceEnd,
  ),
  inRulingWindow: atMost('RulingWindowClosed', 'at most the ruling window', (s) => s.dispute.rulingEnd),
  pastRulingWindow: past('NotTimedOut', 'past the ruling window', (s) => s.dispute.rulingEnd),
  inAppealWindow: atMost('AppealWindowClosed', 'at most the appeal window', (s) => s.dispute.appealEnd),
  pastAppealWindow: past('AppealWindowOpen', 'past the appeal window', (s) => s.dispute.appealEnd),
  inCourtWindow: atMost('CourtWindowClosed', "at most the final court's window", (s) => s.dispute.courtEnd),
  pastCourtWindow: past('NotTimedOut', "past the final court's window", (s) => s.dispute.courtEnd),
  appealFee: {
    error: 'InsufficientDeposit',
    rule: "the loser's free deposit covers the appeal fee of USD 10",
    holds: (s) => s.free(s.caller) >= appealFee,
    lacks: (s) => ({
      amount: { token: 'usdc', have: s.free(s.caller), need: appealFee },
      cure: { action: 'top-up', by: s.caller },
    }),
  },
} as const satisfies Record<string, DisputeGuard>

export type DisputeGuardName = keyof typeof disputeGuards

const undecided = (s: DisputeSituation): boolean => !s.dispute.ruled
const meetsAt = (s: DisputeSituation): bigint | null => {
  const { offerBps, askBps } = sharesAfter(s)
  return offerBps === askBps ? askBps : null
}

/** Conditions that select between rows of the same operation and phase. They never reject a call by themselves. */
export const disputeConditions = {
  'an arbitrator accepts': (s: DisputeSituation) => s.caller === s.call.arbitrator && !isParty(s, s.caller),
  'a party proposes': (s: DisputeSituation) => s.caller !== s.call.arbitrator || isParty(s, s.caller),
  'nobody is bonded': (s: DisputeSituation) => s.call.draw === 'unfixed' && !s.somebodyBonded,
  'the draw is still to be fixed': (s: DisputeSituation) => s.call.draw === 'unfixed' && s.somebodyBonded,
  'the draw is waiting for its block': (s: DisputeSituation) => s.call.draw === 'pending',
  'the draw found nobody': (s: DisputeSituation) => s.call.draw === 'known' && s.call.drawn === null,
  'the draw found a judge': (s: DisputeSituation) => s.call.draw === 'known' && s.call.drawn !== null,
  'the shares still differ': (s: DisputeSituation) => undecided(s) && meetsAt(s) === null,
  'the shares meet at nothing': (s: DisputeSituation) => undecided(s) && meetsAt(s) === 0n,
  'the shares meet at everything': (s: DisputeSituation) => undecided(s) && meetsAt(s) === bps,
  'the shares meet in between': (s: DisputeSituation) => {
    const share = meetsAt(s)
    return undecided(s) && share !== null && share !== 0n && share !== bps
  },
  'nobody ruled': undecided,
  'a judge ruled': (s: DisputeSituation) => s.dispute.ruled,
  'the ruling is upheld': (s: DisputeSituation) => s.dispute.ruled && s.call.forWorker === s.dispute.forWorker,
  'the ruling is overturned': (s: DisputeSituation) => s.dispute.ruled && s.call.forWorker !== s.dispute.forWorker,
} as const

/** The money that a transition moves. The gap is the part of the milestone between the two shares. */
export type DisputeMove =
  /** Raises both parties' reserves for the task back to USD 8, as far as their deposits allow. */
  | { move: 'refill reserves' }
  /** Takes a tenth of the milestone from a poster that opens the case. */
  | { move: 'take stake' }
  | { move: 'reserve appeal fee' }
  /** Pays the appellant's USD 10 to the final court. */
  | { move: 'pay appeal fee' }
  /** The silent judge pays half of a tenth of the milestone to each party. */
  | { move: 'slash silent judge' }
  /** The overturned judge pays a tenth of the gap to the appellant, and all it locked of the gap if it had no ground. */
  | { move: 'slash overturned judge' }
  /**
   * The loser's reserve pays USD 5 to whoever ruled, or to the appellant of an overturned ruling, and 3 to the winner. A
   * worker that gets nothing pays 5 more to the treasury.
   */
  | { move: 'loser pays'; feeTo: 'judge' | 'court' | 'appellant' }
  /** Pays a seated judge USD 5. */
  | { move: 'pay judge'; from: 'poster' | 'both' }
  /** A worker that gives everything up: USD 5 to the judge or the treasury, 3 to the poster, 2.50 to the treasury. */
  | { move: 'worker gives up' }
  /** Returns the opener's stake, less what the worker gets of it: nothing, 1 % of the milestone, or what a ruling says. */
  | { move: 'return stake'; less: 'nothing' | 'settlement' | 'tenth of the gap' }
  /** Lets the registry pay the share of the milestone, 1 % of the gap to whoever ruled (a judge at most 1,000 TOK), and end the task. */
  | { move: 'settle task'; courtShareTo: 'judge' | 'court' | null; forfeits: 'whoever gets nothing' | 'worker' | null }

/** What a transition changes besides phase and money. */
export type DisputeEffect =
  | 'open case'
  | 'note proposal'
  | 'seat judge'
  | 'note evidence'
  | 'rule'
  | 'appeal'
  | 'call court'
  | 'remove judge'
  /** The case ends with the share of the side that won. */
  | 'end by ruling'
  | 'end by decision'
  /** The case ends with the share of the side that did not open it. */
  | 'end by time'
  | 'end by settlement'
  | 'end by concession'
  | 'end by cancel'

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

const speech = ['hashGiven', 'inEvidenceWindow', 'shareBetween'] as const satisfies readonly DisputeGuardName[]
const drawing = ['pastConsent', 'inEvidenceWindow'] as const satisfies readonly DisputeGuardName[]

const returnStake = (less: Extract<DisputeMove, { move: 'return stake' }>['less']): DisputeMove => ({
  move: 'return stake',
  less,
})
const settleTask = (
  courtShareTo: 'judge' | 'court' | null,
  forfeits: 'whoever gets nothing' | 'worker' | null,
): DisputeMove => ({ move: 'settle task', courtShareTo, forfeits })
/** What a ruling that stands pays. */
const payRuling = (feeTo: 'judge' | 'court' | 'appellant', courtShareTo: 'judge' | 'court'): readonly DisputeMove[] => [
  { move: 'loser pays', feeTo },
  returnStake('tenth of the gap'),
  settleTask(courtShareTo, 'whoever gets nothing'),
]
const payConcession: readonly DisputeMove[] = [{ move: 'pay judge', from: 'poster' }, returnStake('settlement')]
const payAgreement: readonly DisputeMove[] = [{ move: 'pay judge', from: 'both' }, returnStake('settlement')]

/** The rows of a party that speaks. After a ruling nobody does. */
const speak = (from: DisputePhase): readonly DisputeTransition[] => {
  const row = { operation: 'submitEvidence', from, by: 'party', guards: speech } as const
  return [
    { ...row, when: 'the shares still differ', to: from, effects: ['note evidence'], money: [] },
    {
      ...row,
      when: 'the shares meet at nothing',
      to: 'CLOSED',
      effects: ['note evidence', 'end by concession'],
      money: [{ move: 'worker gives up' }, returnStake('nothing'), settleTask(null, 'worker')],
    },
    {
      ...row,
      when: 'the shares meet at everything',
      to: 'CLOSED',
      effects: ['note evidence', 'end by concession'],
      money: [...payConcession, settleTask(null, null)],
    },
    {
      ...row,
      when: 'the shares meet in between',
      to: 'CLOSED',
      effects: ['note evidence', 'end by settlement'],
      money: [...payAgreement, settleTask(null, null)],
    },
  ]
}

/** The dispute table: one judge, then the final court. A call that matches no row by operation and phase reverts with WrongPhase. */
export const disputes: readonly DisputeTransition[] = [
  ...inPhases(['NONE', 'CLOSED'], {
    operation: 'open',
    by: 'registry',
    guards: [],
    to: 'OPEN',
    effects: ['open case'],
    money: [{ move: 'refill reserves' }, { move: 'take stake' }],
  }),
  ...inPhases(['OPEN', 'EVIDENCE', 'COURT'], {
    operation: 'concede',
    when: 'nobody ruled',
    by: 'registry',
    guards: [],
    to: 'CLOSED',
    effects: ['end by concession'],
    money: payConcession,
  }),
  ...inPhases(['OPEN', 'EVIDENCE', 'RULED', 'COURT'], {
    operation: 'abandon',
    by: 'registry',
    guards: [],
    to: 'CLOSED',
    effects: ['end by cancel'],
    money: payAgreement,
  }),
  {
    operation: 'propose',
    from: 'OPEN',
    when: 'an arbitrator accepts',
    by: 'candidate',
    guards: ['inEvidenceWindow', 'eligible'],
    to: 'EVIDENCE',
    effects: ['seat judge'],
    money: [],
  },
  {
    operation: 'propose',
    from: 'OPEN',
    when: 'a party proposes',
    by: 'party',
    guards: ['inEvidenceWindow', 'notAParty'],
    to: 'OPEN',
    effects: ['note proposal'],
    money: [],
  },
  {
    operation: 'seat',
    from: 'OPEN',
    when: 'nobody is bonded',
    by: 'anyone',
    guards: drawing,
    to: 'COURT',
    effects: ['call court'],
    money: [],
  },
  {
    operation: 'seat',
    from: 'OPEN',
    when: 'the draw is still to be fixed',
    by: 'anyone',
    guards: drawing,
    to: 'OPEN',
    effects: [],
    money: [],
  },
  {
    operation: 'seat',
    from: 'OPEN',
    when: 'the draw is waiting for its block',
    by: 'anyone',
    guards: [...drawing, 'drawNotPending'],
    to: 'OPEN',
    effects: [],
    money: [],
  },
  {
    operation: 'seat',
    from: 'OPEN',
    when: 'the draw found nobody',
    by: 'anyone',
    guards: drawing,
    to: 'COURT',
    effects: ['call court'],
    money: [],
  },
  {
    operation: 'seat',
    from: 'OPEN',
    when: 'the draw found a judge',
    by: 'anyone',
    guards: drawing,
    to: 'EVIDENCE',
    effects: ['seat judge'],
    money: [],
  },
  ...speak('OPEN'),
  ...speak('EVIDENCE'),
  ...speak('COURT'),
  {
    operation: 'resolve',
    from: 'EVIDENCE',
    by: 'judge',
    guards: ['hashGiven', 'heard', 'inRulingWindow'],
    to: 'RULED',
    effects: ['rule'],
    money: [],
  },
  {
    operation: 'escalate',
    from: 'RULED',
    by: 'loser',
    guards: ['inAppealWindow', 'appealFee'],
    to: 'COURT',
    effects: ['appeal', 'call court'],
    money: [{ move: 'reserve appeal fee' }],
  },
  {
    operation: 'decide',
    from: 'COURT',
    when: 'nobody ruled',
    by: 'court',
    guards: ['hashGiven', 'heard', 'inCourtWindow'],
    to: 'CLOSED',
    effects: ['end by decision'],
    money: payRuling('court', 'court'),
  },
  {
    operation: 'decide',
    from: 'COURT',
    when: 'the ruling is upheld',
    by: 'court',
    guards: ['hashGiven', 'heard', 'inCourtWindow'],
    to: 'CLOSED',
    effects: ['end by decision'],
    money: [{ move: 'pay appeal fee' }, ...payRuling('judge', 'court')],
  },
  {
    operation: 'decide',
    from: 'COURT',
    when: 'the ruling is overturned',
    by: 'court',
    guards: ['hashGiven', 'heard', 'inCourtWindow'],
    to: 'CLOSED',
    effects: ['end by decision'],
    money: [{ move: 'pay appeal fee' }, { move: 'slash overturned judge' }, ...payRuling('appellant', 'court')],
  },
  {
    operation: 'finalize',
    from: 'RULED',
    by: 'anyone',
    guards: ['pastAppealWindow'],
    to: 'CLOSED',
    effects: ['end by ruling'],
    money: payRuling('judge', 'judge'),
  },
  {
    operation: 'resolveTimedOut',
    from: 'OPEN',
    by: 'anyone',
    guards: ['pastEvidenceWindow'],
    to: 'COURT',
    effects: ['call court'],
    money: [],
  },
  {
    operation: 'resolveTimedOut',
    from: 'EVIDENCE',
    by: 'anyone',
    guards: ['pastRulingWindow'],
    to: 'COURT',
    effects: ['remove judge', 'call court'],
    money: [{ move: 'slash silent judge' }],
  },
  {
    operation: 'resolveTimedOut',
    from: 'COURT',
    when: 'a judge ruled',
    by: 'anyone',
    guards: ['pastCourtWindow'],
    to: 'CLOSED',
    effects: ['end by ruling'],
    money: payRuling('judge', 'judge'),
  },
  {
    operation: 'resolveTimedOut',
    from: 'COURT',
    when: 'nobody ruled',
    by: 'anyone',
    guards: ['pastCourtWindow'],
    to: 'CLOSED',
    effects: ['end by time'],
    money: [returnStake('nothing'), settleTask(null, null)],
  },
]
