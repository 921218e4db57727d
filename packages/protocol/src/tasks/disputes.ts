import { appealFee, bps } from '../money/amounts.ts'
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
  /** The arbitrator of terms that both parties signed. */
  named: string | null
  /** Which dispute of the task it is, from 1. */
  number: number
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

/** The parameters of a call. */
interface DisputeCallFacts {
  /** The arbitrator that is proposed. */
  arbitrator: string | null
  /** Which dispute of the task a ruling is about. */
  number: number
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

/** Who can call an operation, with the error for everyone else. `candidate`: named by signed terms or by both parties. */
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

function haveBothSpoken({ dispute }: DisputeSituation): boolean {
  return dispute.posterSpoke && dispute.workerSpoke
}

/** Every rule of the dispute table. As in the lifecycle, "at most" guards limit a duty and "past" guards open a default. */
export const disputeGuards = {
  inConsentWindow: atMost('ConsentWindowClosed', 'at most the consent window', (s) => s.dispute.consentEnd),
  consentEnded: past('NotTimedOut', 'past the consent window', (s) => s.dispute.consentEnd),
  inEvidenceWindow: atMost('EvidenceWindowClosed', 'at most the evidence window', (s) => s.dispute.evidenceEnd),
  evidenceEnded: past('NotTimedOut', 'past the evidence window', (s) => s.dispute.evidenceEnd),
  // From then on the shares stand still.
  pastEvidenceWindow: past('EvidenceWindowOpen', 'past the evidence window', (s) => s.dispute.evidenceEnd),
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
  currentCase: {
    error: 'WrongCase',
    rule: 'the ruling names the case that is open',
    holds: (s) => s.call.number === s.dispute.number,
  },
  bothSpoke: {
    error: 'PartySilent',
    rule: 'both parties spoke',
    holds: haveBothSpoken,
  },
  hashGiven: { error: 'HashMissing', rule: 'a hash is given', holds: (s) => s.call.hashGiven },
  shareBetween: {
    error: 'ShareOutOfRange',
    rule: 'the share lies between the two that the parties name: each moves only towards the other',
    holds: ({ call, dispute }) => call.shareBps >= dispute.offerBps && call.shareBps <= dispute.askBps,
  },
  inRulingWindow: atMost('RulingWindowClosed', 'at most the ruling window', (s) => s.dispute.rulingEnd),
  pastRulingWindow: past('NotTimedOut', 'past the ruling window', (s) => s.dispute.rulingEnd),
  inAppealWindow: atMost('AppealWindowClosed', 'at most the appeal window', (s) => s.dispute.appealEnd),
  pastAppealWindow: past('AppealWindowOpen', 'past the appeal window', (s) => s.dispute.appealEnd),
  inCourtWindow: atMost('CourtWindowClosed', "at most the final court's window", (s) => s.dispute.courtEnd),
  pastCourtWindow: past('NotTimedOut', "past the final court's window", (s) => s.dispute.courtEnd),
  appealFee: {
    error: 'InsufficientDeposit',
    rule: "the loser's free deposit covers the appeal fee of USD 8",
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
  'another judge can be named': (s: DisputeSituation) => s.now <= s.dispute.consentEnd,
  'no other judge can be named': (s: DisputeSituation) => s.now > s.dispute.consentEnd,
  'both spoke': haveBothSpoken,
  'a party is silent': (s: DisputeSituation) => !haveBothSpoken(s),
  'the shares still differ': (s: DisputeSituation) => undecided(s) && meetsAt(s) === null,
  'the shares meet at nothing': (s: DisputeSituation) => undecided(s) && meetsAt(s) === 0n,
  'the shares meet at everything': (s: DisputeSituation) => undecided(s) && meetsAt(s) === bps,
  'the shares meet in between': (s: DisputeSituation) => {
    const share = meetsAt(s)
    return undecided(s) && share !== null && share !== 0n && share !== bps
  },
  'nobody ruled': undecided,
  'nobody ruled, evidence is open': (s: DisputeSituation) => undecided(s) && s.now <= s.dispute.evidenceEnd,
  'nobody ruled, evidence has ended': (s: DisputeSituation) => undecided(s) && s.now > s.dispute.evidenceEnd,
  'a judge ruled': (s: DisputeSituation) => s.dispute.ruled,
  'the ruling is upheld': (s: DisputeSituation) => s.dispute.ruled && s.call.forWorker === s.dispute.forWorker,
  'the ruling is overturned': (s: DisputeSituation) => s.dispute.ruled && s.call.forWorker !== s.dispute.forWorker,
} as const

/** The money that a transition moves. The gap is the part of the milestone between the two shares. */
export type DisputeMove =
  /** A poster that opens the case makes its reserve whole, and puts up a tenth of the milestone. */
  | { move: 'take stake' }
  | { move: 'reserve appeal fee' }
  /** Pays the appellant's USD 8 to the final court. */
  | { move: 'pay appeal fee' }
  /** Burns 2,000 TOK of the bond of a judge that took the case and said nothing. */
  | { move: 'slash silent judge' }
  /** Burns five quarters of what the ruling moved, the gap and the stake that it decided about, at least 2,000 TOK. */
  | { move: 'slash overturned judge' }
  /** The loser pays USD 5 to whoever ruled, or to the appellant of an overturned ruling, and 8 to the winner. */
  | { move: 'loser pays'; feeTo: 'judge' | 'court' | 'appellant' }
  /** Pays USD 5 to the judge or the court that has the case, if one does. */
  | { move: 'pay seated'; from: 'poster' | 'both' }
  /** A poster that gives in when nothing more can be said pays the worker USD 8, as if it had lost. */
  | { move: 'pay worker' }
  /** A worker that gives everything up pays USD 5 to the judge or the court that has the case, else to the poster. */
  | { move: 'worker gives up' }
  /**
   * Returns the opener's stake, less what the worker gets of it: nothing, 1 % of the milestone, or what a loser loses: a tenth
   * of the gap, at least 5 % of the milestone. A ruling says whether the poster lost.
   */
  | { move: 'return stake'; less: 'nothing' | 'settlement' | 'what a loser loses' | 'what a ruling says' }
  /** Lets the registry pay the share of the milestone and, if it decided, the court's share of the gap, and end the task. */
  | { move: 'settle task'; courtShare: boolean; forfeits: 'loser' | 'poster' | 'worker' | null }

/** What a transition changes besides phase and money. */
export type DisputeEffect =
  | 'open case'
  | 'record proposal'
  | 'seat judge'
  | 'record evidence'
  | 'rule'
  | 'appeal'
  | 'call court'
  /** The judge is free. */
  | 'remove judge'
  /** The record of the judge shows that it said nothing. */
  | 'record silence'
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
const ruling = ['currentCase', 'hashGiven', 'pastEvidenceWindow'] as const satisfies readonly DisputeGuardName[]

const returnStake = (less: Extract<DisputeMove, { move: 'return stake' }>['less']): DisputeMove => ({
  move: 'return stake',
  less,
})
const settleTask = (
  forfeits: Extract<DisputeMove, { move: 'settle task' }>['forfeits'],
  courtShare = false,
): DisputeMove => ({
  move: 'settle task',
  courtShare,
  forfeits,
})
/** What a ruling of a judge that stands pays. */
const payRuling: readonly DisputeMove[] = [
  { move: 'loser pays', feeTo: 'judge' },
  returnStake('what a ruling says'),
  settleTask('loser'),
]
/** What a decision of the final court pays. */
const payDecision = (feeTo: 'judge' | 'court' | 'appellant'): readonly DisputeMove[] => [
  { move: 'loser pays', feeTo },
  returnStake('what a ruling says'),
  settleTask('loser', true),
]
const payConcession: readonly DisputeMove[] = [{ move: 'pay seated', from: 'poster' }, returnStake('settlement')]
const payAgreement: readonly DisputeMove[] = [{ move: 'pay seated', from: 'both' }, returnStake('settlement')]

/** The rows of a party that speaks. After a ruling nobody does. */
const speak = (from: DisputePhase): readonly DisputeTransition[] => {
  const row = { operation: 'submitEvidence', from, by: 'party', guards: speech } as const
  return [
    { ...row, when: 'the shares still differ', to: from, effects: ['record evidence'], money: [] },
    {
      ...row,
      when: 'the shares meet at nothing',
      to: 'CLOSED',
      effects: ['record evidence', 'end by concession'],
      money: [{ move: 'worker gives up' }, returnStake('nothing'), settleTask('worker')],
    },
    {
      ...row,
      when: 'the shares meet at everything',
      to: 'CLOSED',
      effects: ['record evidence', 'end by concession'],
      money: [...payConcession, settleTask('poster')],
    },
    {
      ...row,
      when: 'the shares meet in between',
      to: 'CLOSED',
      effects: ['record evidence', 'end by settlement'],
      money: [...payAgreement, settleTask(null)],
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
    money: [{ move: 'take stake' }],
  }),
  ...inPhases(['OPEN', 'EVIDENCE', 'COURT'], {
    operation: 'concede',
    when: 'nobody ruled, evidence is open',
    by: 'registry',
    guards: [],
    to: 'CLOSED',
    effects: ['end by concession'],
    money: payConcession,
  }),
  // Else whoever learns of a ruling first would concede in front of it.
  ...inPhases(['OPEN', 'EVIDENCE', 'COURT'], {
    operation: 'concede',
    when: 'nobody ruled, evidence has ended',
    by: 'registry',
    guards: [],
    to: 'CLOSED',
    effects: ['end by concession'],
    money: [{ move: 'pay seated', from: 'poster' }, { move: 'pay worker' }, returnStake('what a loser loses')],
  }),
  // A judge that ruled stays at risk: else its victim's appeal could be bought off.
  ...inPhases(['OPEN', 'EVIDENCE', 'COURT'], {
    operation: 'abandon',
    when: 'nobody ruled',
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
    guards: ['inConsentWindow', 'eligible'],
    to: 'EVIDENCE',
    effects: ['seat judge'],
    money: [],
  },
  {
    operation: 'propose',
    from: 'OPEN',
    when: 'a party proposes',
    by: 'party',
    guards: ['inConsentWindow', 'notAParty'],
    to: 'OPEN',
    effects: ['record proposal'],
    money: [],
  },
  {
    operation: 'stepDown',
    from: 'EVIDENCE',
    when: 'another judge can be named',
    by: 'judge',
    guards: ['inRulingWindow'],
    to: 'OPEN',
    effects: ['remove judge'],
    money: [],
  },
  {
    operation: 'stepDown',
    from: 'EVIDENCE',
    when: 'no other judge can be named',
    by: 'judge',
    guards: ['inRulingWindow'],
    to: 'COURT',
    effects: ['remove judge', 'call court'],
    money: [],
  },
  ...speak('OPEN'),
  ...speak('EVIDENCE'),
  ...speak('COURT'),
  {
    operation: 'resolve',
    from: 'EVIDENCE',
    by: 'judge',
    guards: [...ruling, 'bothSpoke', 'inRulingWindow'],
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
    guards: [...ruling, 'inCourtWindow'],
    to: 'CLOSED',
    effects: ['end by decision'],
    money: payDecision('court'),
  },
  {
    operation: 'decide',
    from: 'COURT',
    when: 'the ruling is upheld',
    by: 'court',
    guards: [...ruling, 'inCourtWindow'],
    to: 'CLOSED',
    effects: ['end by decision'],
    money: [{ move: 'pay appeal fee' }, ...payDecision('judge')],
  },
  {
    operation: 'decide',
    from: 'COURT',
    when: 'the ruling is overturned',
    by: 'court',
    guards: [...ruling, 'inCourtWindow'],
    to: 'CLOSED',
    effects: ['end by decision'],
    money: [{ move: 'pay appeal fee' }, { move: 'slash overturned judge' }, ...payDecision('appellant')],
  },
  {
    operation: 'finalize',
    from: 'RULED',
    by: 'anyone',
    guards: ['pastAppealWindow'],
    to: 'CLOSED',
    effects: ['end by ruling'],
    money: payRuling,
  },
  {
    operation: 'resolveTimedOut',
    from: 'OPEN',
    by: 'anyone',
    guards: ['consentEnded'],
    to: 'COURT',
    effects: ['call court'],
    money: [],
  },
  {
    operation: 'resolveTimedOut',
    from: 'EVIDENCE',
    when: 'a party is silent',
    by: 'anyone',
    guards: ['evidenceEnded'],
    to: 'COURT',
    effects: ['remove judge', 'call court'],
    money: [],
  },
  {
    operation: 'resolveTimedOut',
    from: 'EVIDENCE',
    when: 'both spoke',
    by: 'anyone',
    guards: ['pastRulingWindow'],
    to: 'COURT',
    effects: ['record silence', 'remove judge', 'call court'],
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
    money: payRuling,
  },
  {
    operation: 'resolveTimedOut',
    from: 'COURT',
    when: 'nobody ruled',
    by: 'anyone',
    guards: ['pastCourtWindow'],
    to: 'CLOSED',
    effects: ['end by time'],
    money: [returnStake('nothing'), settleTask(null)],
  },
]
