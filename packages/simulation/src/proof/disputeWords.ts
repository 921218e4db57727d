import {
  courtShareBps,
  judgeLockBps,
  minLostStakeBps,
  openerStakeBps,
  settlementBps,
} from '@svc/protocol/internal/money'
import type { DisputeEffect, DisputeGuardName, DisputeMove } from '@svc/protocol/internal/tasks'
import type { disputeConditions as allConditions, disputeRoles as allRoles } from '@svc/protocol/lifecycle'
import { isPortion, isShare } from './constants.ts'
import type { Describe, Term, Update } from './path.ts'
import { addReserve, pushArbitration, takePenalty } from './vaults.ts'

const byPoster = '(= caller aPoster)'
const bothSpoke = '(and posterSpoke workerSpoke)'
/** The shares after the call of a party that names one. */
const offerAfter = `(ite ${byPoster} callShare offer)`
const askAfter = `(ite ${byPoster} ask callShare)`
const sharesMeet = `(= ${offerAfter} ${askAfter})`
const sharesMeetAt = (share: Term): Term => `(and (not ruled) ${sharesMeet} (= ${askAfter} ${share}))`

export const disputeConditions: Readonly<Record<keyof typeof allConditions, Term>> = {
  'an arbitrator accepts': '(= caller aJudge)',
  'a party proposes': '(distinct caller aJudge)',
  'another judge can be named': '(<= now consentEnd)',
  'no other judge can be named': '(> now consentEnd)',
  'both spoke': bothSpoke,
  'a party is silent': `(not ${bothSpoke})`,
  'the shares still differ': `(and (not ruled) (not ${sharesMeet}))`,
  'the shares meet at nothing': sharesMeetAt('0'),
  'the shares meet at everything': sharesMeetAt('bps'),
  'the shares meet in between': `(and (not ruled) ${sharesMeet} (distinct ${askAfter} 0) (distinct ${askAfter} bps))`,
  'nobody ruled': '(not ruled)',
  'nobody ruled, evidence is open': '(and (not ruled) (<= now evidenceEnd))',
  'nobody ruled, evidence has ended': '(and (not ruled) (> now evidenceEnd))',
  'a judge ruled': 'ruled',
  'the ruling is upheld': '(and ruled (= callForWorker forWorker))',
  'the ruling is overturned': '(and ruled (distinct callForWorker forWorker))',
}

/** Who calls. `null`: only the other contract does. */
export const disputeRoles: Readonly<Record<keyof typeof allRoles, Term | null>> = {
  party: `(or ${byPoster} (= caller aWorker))`,
  candidate: '(= caller aJudge)',
  judge: '(and (= caller aJudge) hasJudge)',
  loser: '(= caller (ite forWorker aPoster aWorker))',
  court: '(= caller aCourt)',
  registry: null,
  anyone: 'true',
}

/** As in the lifecycle, `true` is a parameter that every caller can supply. */
export const disputeGuards: Readonly<Record<DisputeGuardName, Term>> = {
  inConsentWindow: '(<= now consentEnd)',
  consentEnded: '(> now consentEnd)',
  inEvidenceWindow: '(<= now evidenceEnd)',
  evidenceEnded: '(> now evidenceEnd)',
  pastEvidenceWindow: '(> now evidenceEnd)',
  eligible: '(and (<= minBond bond) (<= (+ locked caseLock) bond))',
  notAParty: 'true',
  currentCase: 'true',
  bothSpoke,
  hashGiven: 'true',
  shareBetween: '(<= offer callShare ask)',
  inRulingWindow: '(<= now rulingEnd)',
  pastRulingWindow: '(> now rulingEnd)',
  inAppealWindow: '(<= now appealEnd)',
  pastAppealWindow: '(> now appealEnd)',
  inCourtWindow: '(<= now courtEnd)',
  pastCourtWindow: '(> now courtEnd)',
  appealFee: '(<= appealFee (ite forWorker (- posterDeposit posterReserved) (- workerDeposit workerReserved)))',
}

/** Closes the case; a judge that still sits is free. */
const end = (endShare: Term, winner: 'forWorker' | 'callForWorker' = 'forWorker'): Update => ({
  let: freed,
  set: { endShare, workerWon: winner, ...freeJudge },
})
const freed = { freed: '(ite hasJudge caseLock 0)' }
const freeJudge = { lock: '(- lock ?freed)', locked: '(- locked ?freed)' }

export const disputeEffects: Readonly<Record<DisputeEffect, Update>> = {
  'open case': {
    let: { caseLock: '(max ?part minJudgeLock)' },
    facts: [isPortion('?part', 'amount', judgeLockBps)],
    set: {
      openedByPoster: byPoster,
      posterSpoke: byPoster,
      workerSpoke: `(not ${byPoster})`,
      offer: `(ite ${byPoster} callShare 0)`,
      ask: `(ite ${byPoster} bps callShare)`,
      disputed: 'amount',
      caseLock: '?caseLock',
      consentEnd: '(+ now ?windowOfConsent)',
      evidenceEnd: '(+ now ?windowOfEvidence)',
      hasJudge: 'false',
      ruled: 'false',
      forWorker: 'false',
      stake: '0',
      endShare: '0',
      rulingEnd: '0',
      appealEnd: '0',
      courtEnd: '0',
    },
  },
  'record proposal': {},
  'seat judge': {
    set: {
      hasJudge: 'true',
      rulingEnd: '(+ evidenceEnd ?window)',
      lock: '(+ lock caseLock)',
      locked: '(+ locked caseLock)',
    },
  },
  'record evidence': {
    set: {
      posterSpoke: `(or posterSpoke ${byPoster})`,
      workerSpoke: `(or workerSpoke (not ${byPoster}))`,
      offer: offerAfter,
      ask: askAfter,
    },
  },
  rule: { set: { ruled: 'true', forWorker: 'callForWorker', appealEnd: '(+ now ?window)' } },
  appeal: {},
  'call court': { set: { courtEnd: '(+ now ?window)' } },
  'remove judge': { let: freed, set: { hasJudge: 'false', rulingEnd: '0', ...freeJudge } },
  'record silence': {},
  'end by ruling': end('(ite forWorker ask offer)'),
  'end by decision': end('(ite callForWorker ask offer)', 'callForWorker'),
  'end by time': end('(ite openedByPoster ask offer)'),
  'end by settlement': end('ask'),
  // A poster that releases the milestone gives all of it.
  'end by concession': end('(ite (= offer ask) ask bps)'),
  'end by cancel': end('endShare'),
}

/** What a judge loses leaves its bond and is burnt. */
export const slash = (amount: Term): Update => ({
  let: { lost: amount },
  set: {
    slashed: '(+ slashed ?lost)',
    bond: '(- bond ?lost)',
    bonds: '(- bonds ?lost)',
    arbitrationBalance: '(- arbitrationBalance ?lost)',
  },
})

/** Who pays, and whether anybody has to, is left open: no penalty takes more than the reserve. */
const takeFromBoth = (amount: Term): Update[] => [takePenalty('poster', amount), takePenalty('worker', amount)]

/** The part of the milestone between the two shares. */
const isGap = isShare('?gap', 'disputed', '(- ask offer)')

/** What a poster that opened loses to a ruling. */
const lostStake = '(min stake (max ?ofGap ?ofAmount))'
const isLostStake = [
  isGap,
  isPortion('?ofGap', '?gap', openerStakeBps),
  isPortion('?ofAmount', 'disputed', minLostStakeBps),
]

const returnStake = (toWorker: Term, facts: readonly Term[] = []): Update => ({
  let: { toWorker: `(min stake ${toWorker})` },
  facts,
  set: { stake: '0', ...pushArbitration('(+ ?toWorker (- stake ?toWorker))') },
})

/** What each move does; the row names it. */
export const disputeMoves: {
  readonly [M in DisputeMove['move']]: Describe<Extract<DisputeMove, { move: M }>>
} = {
  'take stake': () => [
    addReserve('poster', '(ite openedByPoster (max 0 (- taskReserve posterReserve)) 0)'),
    {
      let: { stake: '(ite openedByPoster ?part 0)' },
      facts: [isPortion('?part', 'disputed', openerStakeBps)],
      pulls: ['?stake'],
      set: { stake: '?stake', arbitrationBalance: '(+ arbitrationBalance ?stake)' },
    },
  ],
  'reserve appeal fee': () => [
    addReserve('poster', `(ite ${byPoster} appealFee 0)`),
    addReserve('worker', `(ite ${byPoster} 0 appealFee)`),
  ],
  'pay appeal fee': () => takeFromBoth('appealFee'),
  'slash silent judge': () => [slash('(ite old.hasJudge minJudgeLock 0)')],
  'slash overturned judge': () => [
    {
      ...slash('(ite hasJudge (max ?part minJudgeLock) 0)'),
      facts: [...isLostStake, isPortion('?part', `(min disputed (+ ?gap ${lostStake}))`, judgeLockBps)],
    },
  ],
  'loser pays': () => takeFromBoth('(+ rulingFee appealFee)'),
  'pay seated': () => takeFromBoth('rulingFee'),
  'pay worker': () => [takePenalty('poster', 'appealFee')],
  'worker gives up': () => [takePenalty('worker', 'rulingFee')],
  'return stake': ({ less }) => [
    {
      nothing: returnStake('0'),
      settlement: returnStake('?part', [isPortion('?part', 'disputed', settlementBps)]),
      'what a loser loses': returnStake(lostStake, isLostStake),
      'what a ruling says': returnStake(`(ite workerWon ${lostStake} 0)`, isLostStake),
    }[less],
  ],
  'settle task': ({ courtShare, forfeits }) => [
    {
      let: { courtShare: courtShare ? '(min ?part maxCourtShare)' : '0' },
      facts: [isGap, isPortion('?part', '?gap', courtShareBps)],
      set: {
        callShare: 'endShare',
        courtShare: '?courtShare',
        posterForfeits: forfeits === 'loser' ? 'workerWon' : `${forfeits === 'poster'}`,
        workerForfeits: forfeits === 'loser' ? '(not workerWon)' : `${forfeits === 'worker'}`,
      },
    },
    { perform: 'settleDispute' },
  ],
}
