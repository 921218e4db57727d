import { type DisputePhase, type Market, marketParams, type TaskPhase, type TaskState } from '@svc/protocol'
import { defaultReviewWindow } from '@svc/protocol/internal/money'
import { type LocalAccount, parseUnits } from 'viem'
import { accounts, listPeople, type Person } from './accounts.ts'
import {
  acceptCase,
  agreeOnJudge,
  sendAppeal,
  sendDecision,
  sendEvidence,
  sendFinalization,
  sendProposal,
  sendRuling,
  sendStepDown,
  sendTimeoutResolution,
} from './disputeSteps.ts'
import type { Scene } from './scene.ts'
import type { Work } from './sealWork.ts'
import {
  type Job,
  type Offer,
  requireWorker,
  sendActivation,
  sendAllowance,
  sendCancellation,
  sendClaim,
  sendCompletion,
  sendCreate,
  sendDelivery,
  sendDismissal,
  sendDispute,
  sendExpiry,
  sendFunding,
  sendLapsedRelease,
  sendLeave,
  sendMutualCancellation,
  sendNotice,
  sendPost,
  sendRelease,
  sendRevisionRequest,
} from './steps.ts'
import type { Brief, FinishedTask, OpenOffer, TaskWork } from './texts/brief.ts'
import { microBriefs } from './texts/microBriefs.ts'
import { microFinished, microOffers } from './texts/microOffers.ts'
import { standardBriefs } from './texts/standardBriefs.ts'
import { standardFinished, standardOffers } from './texts/standardOffers.ts'
import { findTaskWork } from './texts/work.ts'

/** A scenario that plays a state or phase, in both markets. */
type StateScenarioName = keyof typeof standardBriefs
export type ScenarioName = StateScenarioName | `offer${number}` | `finished${number}`

/** The texts and amounts of the demo world's tasks. */
const briefs: Record<Market, Record<StateScenarioName, Brief>> = { standard: standardBriefs, micro: microBriefs }
const openOffers: Record<Market, readonly OpenOffer[]> = { standard: standardOffers, micro: microOffers }
const finishedTasks: Record<Market, readonly FinishedTask[]> = {
  standard: standardFinished,
  micro: microFinished,
}

const hour = 60 * 60

/** A step of a scenario, at a time before the present. */
export interface ScenarioStep {
  secondsAgo: number
  run: (run: ScenarioRun) => Promise<void>
}

/** The state of a scenario that is being run. */
export interface ScenarioRun {
  scene: Scene
  /** When the demo world is ready, in unix seconds. */
  present: number
  cast: { poster: LocalAccount; worker: LocalAccount; other: LocalAccount }
  brief: Brief
  /** What the parties deliver, ask for and show. */
  work: TaskWork
  /** Null until the task is posted. */
  job: Job | null
}

/** The steps of one task, and the state and phase they leave it in. */
export interface Scenario {
  name: ScenarioName
  brief: Brief
  /** Who posts the task and who works on it, if it matters. */
  cast?: { poster: Person; worker?: Person }
  /** What is delivered, if it is no work of `texts`. */
  delivery?: Work
  steps: readonly ScenarioStep[]
  expected: { state: TaskState; phase: TaskPhase; dispute?: DisputePhase }
}

/** Prepares the run of a scenario. `index` rotates through the posters and workers of scenarios that name none. */
export function createScenarioRun(scene: Scene, scenario: Scenario, index: number, present: number): ScenarioRun {
  const { name, brief, cast, delivery } = scenario
  const posters = listPeople('poster')
  const workers = listPeople('worker')
  const person = (list: typeof posters, at: number) => list[at % list.length] ?? 'newcomer'
  return {
    scene,
    present,
    cast: {
      poster: accounts[cast?.poster ?? person(posters, index)],
      worker: accounts[cast?.worker ?? person(workers, index)],
      other: accounts[person(workers, index + 1)],
    },
    brief,
    work: { ...findTaskWork(scene.market, name, brief), ...(delivery && { deliveries: [delivery] }) },
    job: null,
  }
}

/** Lists the scenarios of the demo world. Together they cover every state and phase. Times depend on the market's windows. */
export function listScenarios(market: Market): Scenario[] {
  const p = marketParams[market]
  const review = defaultReviewWindow[market]
  const duration = 3 * p.fundingWindow

  const at = (secondsAgo: number, act: (scene: Scene, job: Job, run: ScenarioRun) => Promise<void>): ScenarioStep => ({
    secondsAgo,
    run: (run) => act(run.scene, requireJob(run), run),
  })
  const starts = (secondsAgo: number, start: (run: ScenarioRun) => Promise<Job>): ScenarioStep => ({
    secondsAgo,
    run: async (run) => {
      run.job = await start(run)
    },
  })
  const makeOffer = ({ cast, brief }: ScenarioRun, more: Partial<Offer>): Offer => ({
    poster: cast.poster,
    text: `${brief.title}\n\n${brief.criteria}`,
    titles: brief.milestones.map(({ title }) => title),
    ...(brief.tags && { tags: brief.tags }),
    amounts: brief.milestones.map(({ tok }) => parseUnits(String(tok), 18)),
    duration: brief.milestones.map(({ hours }) => (hours ? hours * hour : duration)),
    ...more,
  })

  const deliver = (secondsAgo: number, version = 0) =>
    at(secondsAgo, (scene, job, { work }) => sendDelivery(scene, job, pick(work.deliveries, version)))
  const requestRevision = (secondsAgo: number) =>
    at(secondsAgo, (scene, job, { work }) => sendRevisionRequest(scene, job, pick(work.requests, 0)))

  const posted = (secondsAgo: number, more: Partial<Offer> = {}, fundAmount?: bigint) => [
    starts(secondsAgo, (run) => sendPost(run.scene, makeOffer(run, more), fundAmount)),
  ]
  const claimed = (secondsAgo: number, more: Partial<Offer> = {}, fundAmount?: bigint) => [
    ...posted(secondsAgo + p.fundingWindow / 2, more, fundAmount),
    at(secondsAgo, (scene, job, { cast }) => sendClaim(scene, job, cast.worker)),
  ]
  const active = (secondsAgo: number, more: Partial<Offer> = {}) => [
    // A later start would give the worker more time than the terms.
    ...claimed(secondsAgo + p.vetWindow / 2, more),
    at(secondsAgo, (scene, job) => sendActivation(scene, job)),
  ]
  const delivered = (secondsAgo: number, more: Partial<Offer> = {}) => [
    ...active(secondsAgo + duration / 2, more),
    deliver(secondsAgo),
  ]
  const disputed = (secondsAgo: number, more: Partial<Offer> = {}, offer = 0n) => [
    ...delivered(secondsAgo + review / 3, more),
    at(secondsAgo, (scene, job, { work }) => sendDispute(scene, job, work.complaint, { shareBps: offer })),
  ]
  const signed = (secondsAgo: number, more: Partial<Offer> = {}) => [
    starts(secondsAgo, (run) => sendCreate(run.scene, makeOffer(run, more), run.cast.worker)),
  ]
  const answer = (secondsAgo: number, ask: bigint) =>
    at(secondsAgo, (scene, job, { work }) => sendEvidence(scene, job, requireWorker(job), work.answer, ask))
  const heard = (secondsAgo: number, judge: LocalAccount, { offer = 0n, ask = 10_000n } = {}) => [
    ...disputed(secondsAgo + 1.02 * p.evidenceWindow, {}, offer),
    at(secondsAgo + 0.9 * p.evidenceWindow, (scene, job) => agreeOnJudge(scene, job, judge)),
    answer(secondsAgo + 0.5 * p.evidenceWindow, ask),
  ]
  const ruled = (secondsAgo: number, forWorker: boolean, shares: { offer?: bigint; ask?: bigint } = {}) => [
    ...heard(secondsAgo, accounts.kofi, shares),
    at(secondsAgo, (scene, job, { work }) => sendRuling(scene, job, forWorker, work.reasons)),
  ]

  const inPhase = (state: TaskState, phase: TaskPhase): Scenario['expected'] => ({ state, phase })
  const inDispute = (dispute: DisputePhase): Scenario['expected'] => ({
    state: 'DISPUTED',
    phase: 'IN_DISPUTE',
    dispute,
  })
  const settled = (state: TaskState): Scenario['expected'] => ({ state, phase: 'SETTLED' })

  const timeEnds = p.evidenceWindow / 4
  const courtCalled = timeEnds + 1.02 * p.courtWindow
  const heardAlready = 1.02 * p.evidenceWindow + p.rulingWindow / 10
  const signedStart = heardAlready + review / 3 + duration / 2
  const courtDecides = p.appealWindow / 2

  const states: (Omit<Scenario, 'brief'> & { name: StateScenarioName })[] = [
    { name: 'open', steps: posted(p.vetWindow), expected: inPhase('POSTED', 'OPEN_FOR_CLAIM') },
    { name: 'openUnfunded', steps: posted(p.vetWindow / 2, {}, 0n), expected: inPhase('POSTED', 'OPEN_FOR_CLAIM') },
    {
      name: 'permitOnly',
      steps: [
        ...posted(2 * p.vetWindow, { permitOnly: true }),
        at(p.vetWindow, (scene, job, { cast }) => sendAllowance(scene, job, cast.worker.address)),
      ],
      expected: inPhase('POSTED', 'OPEN_FOR_CLAIM'),
    },
    {
      name: 'claimClosed',
      steps: [
        starts(6 * p.claimCutoff, (run) =>
          sendPost(run.scene, makeOffer(run, { claimDeadline: run.present + p.claimCutoff / 2 })),
        ),
      ],
      expected: inPhase('POSTED', 'CLAIM_CLOSED'),
    },
    {
      name: 'awaitingFunds',
      steps: claimed(p.fundingWindow / 4, {}, 10n ** 21n),
      expected: inPhase('CLAIMED', 'AWAITING_FUNDS'),
    },
    {
      name: 'claimLapsed',
      steps: claimed(2 * p.fundingWindow, {}, 0n),
      expected: inPhase('CLAIMED', 'CLAIM_LAPSED'),
    },
    { name: 'readyToStart', steps: claimed(p.fundingWindow / 3), expected: inPhase('CLAIMED', 'READY_TO_START') },
    { name: 'privateWaiting', steps: signed(p.fundingWindow / 5), expected: inPhase('CLAIMED', 'AWAITING_FUNDS') },
    {
      name: 'working',
      steps: [...delivered(duration / 2), at(duration / 3, (scene, job) => sendRelease(scene, job))],
      expected: inPhase('ACTIVE', 'WORKING'),
    },
    {
      name: 'revised',
      steps: [...delivered(duration / 2), requestRevision(duration / 3)],
      expected: inPhase('ACTIVE', 'WORKING'),
    },
    {
      name: 'privateWorking',
      steps: [
        ...signed(duration / 2 + 2 * p.vetWindow),
        at(duration / 2 + p.vetWindow, (scene, job) => sendFunding(scene, job)),
        at(duration / 2, (scene, job) => sendActivation(scene, job, requireWorker(job))),
      ],
      expected: inPhase('ACTIVE', 'WORKING'),
    },
    { name: 'inReview', steps: delivered(review / 4, { permitOnly: true }), expected: inPhase('ACTIVE', 'IN_REVIEW') },
    { name: 'reviewLapsed', steps: delivered(1.25 * review), expected: inPhase('ACTIVE', 'REVIEW_LAPSED') },
    {
      name: 'receiptMissing',
      steps: delivered(1.25 * review, { store: accounts.store.address }),
      expected: inPhase('ACTIVE', 'RECEIPT_MISSING'),
    },
    { name: 'overdue', steps: active(1.25 * duration), expected: inPhase('ACTIVE', 'OVERDUE') },
    {
      name: 'disputeOpen',
      steps: [
        ...disputed(p.consentWindow / 3),
        at(p.consentWindow / 4, (scene, job) => sendProposal(scene, job, requireWorker(job), accounts.lena.address)),
      ],
      expected: inDispute('OPEN'),
    },
    {
      name: 'disputeEvidence',
      steps: [
        ...disputed(p.evidenceWindow / 3, { arbitrator: accounts.jun.address }, 2_500n),
        // The terms of an open task are the poster's: its judge sits once the worker names it too.
        at(p.evidenceWindow / 4, (scene, job) => sendProposal(scene, job, requireWorker(job), accounts.jun.address)),
        at(p.evidenceWindow / 5, (scene, job) => acceptCase(scene, job, accounts.jun)),
      ],
      expected: inDispute('EVIDENCE'),
    },
    {
      name: 'disputeRuled',
      steps: ruled(p.appealWindow / 2, true, { offer: 3_000n, ask: 9_000n }),
      expected: inDispute('RULED'),
    },
    {
      name: 'disputeAppealed',
      steps: [
        ...ruled(p.appealWindow / 2, false, { offer: 3_500n }),
        at(p.appealWindow / 3, (scene, job) => sendAppeal(scene, job, requireWorker(job))),
      ],
      expected: inDispute('COURT'),
    },
    {
      name: 'completed',
      steps: [
        ...delivered(3 * duration),
        at(2.9 * duration, (scene, job) => sendRelease(scene, job)),
        deliver(2.5 * duration, 1),
        requestRevision(2.4 * duration),
        deliver(2 * duration, 2),
        at(1.9 * duration, (scene, job) => sendRelease(scene, job)),
      ],
      expected: settled('COMPLETED'),
    },
    {
      name: 'completedBySilence',
      steps: [...delivered(1.5 * review), at(review / 4, (scene, job) => sendLapsedRelease(scene, job))],
      expected: settled('COMPLETED'),
    },
    {
      name: 'privateCompleted',
      steps: [
        ...signed(2 * duration),
        at(1.9 * duration, (scene, job) => sendFunding(scene, job)),
        at(1.8 * duration, (scene, job) => sendActivation(scene, job)),
        deliver(1.5 * duration),
        at(1.4 * duration, (scene, job) => sendCompletion(scene, job)),
      ],
      expected: settled('COMPLETED'),
    },
    {
      name: 'cancelled',
      steps: [...posted(duration), at(duration / 2, (scene, job) => sendCancellation(scene, job))],
      expected: settled('CANCELLED'),
    },
    {
      name: 'mutuallyCancelled',
      steps: [...active(duration), at(duration / 2, (scene, job) => sendMutualCancellation(scene, job, 4_000n))],
      expected: settled('CANCELLED'),
    },
    {
      name: 'abandoned',
      steps: [...active(duration), at(duration / 3, (scene, job) => sendLeave(scene, job))],
      expected: settled('CANCELLED'),
    },
    {
      name: 'reopened',
      steps: [
        ...claimed(duration / 2),
        at(duration / 3, (scene, job) => sendLeave(scene, job)),
        at(duration / 4, (scene, job, { cast }) => sendClaim(scene, job, cast.other)),
        at(duration / 6, (scene, job) => sendDismissal(scene, job)),
      ],
      expected: inPhase('POSTED', 'OPEN_FOR_CLAIM'),
    },
    {
      name: 'expiredUnclaimed',
      steps: [
        starts(8 * p.claimCutoff, (run) =>
          sendPost(run.scene, makeOffer(run, { claimDeadline: run.present - 2 * p.claimCutoff })),
        ),
        at(2 * p.claimCutoff, (scene, job) => sendExpiry(scene, job)),
      ],
      expected: settled('EXPIRED'),
    },
    {
      name: 'expiredLate',
      steps: [...active(1.5 * duration), at(duration / 4, (scene, job) => sendExpiry(scene, job))],
      expected: settled('EXPIRED'),
    },
    {
      name: 'privateExpired',
      steps: [...signed(2 * p.fundingWindow), at(p.fundingWindow / 2, (scene, job) => sendExpiry(scene, job))],
      expected: settled('EXPIRED'),
    },
    {
      name: 'resolvedForWorker',
      steps: [
        ...ruled(1.5 * p.appealWindow, true),
        at(p.appealWindow / 4, (scene, job) => sendFinalization(scene, job)),
      ],
      expected: settled('RESOLVED'),
    },
    {
      name: 'resolvedForPoster',
      steps: [
        ...ruled(1.6 * p.appealWindow, false),
        at(p.appealWindow / 3, (scene, job) => sendFinalization(scene, job)),
      ],
      expected: settled('RESOLVED'),
    },
    {
      name: 'resolvedByCourt',
      steps: [
        ...ruled(courtDecides + 0.5 * p.appealWindow, false, { offer: 2_000n, ask: 8_000n }),
        at(courtDecides + 0.4 * p.appealWindow, (scene, job) => sendAppeal(scene, job, requireWorker(job))),
        at(courtDecides, (scene, job, { work }) => sendDecision(scene, job, true, work.decision)),
      ],
      expected: settled('RESOLVED'),
    },
    {
      name: 'resolvedByTime',
      steps: [
        ...heard(courtCalled + 1.02 * p.rulingWindow, accounts.nadia),
        // The judge is silent, and so is the final court.
        at(courtCalled, (scene, job) => sendTimeoutResolution(scene, job)),
        at(timeEnds, (scene, job) => sendTimeoutResolution(scene, job)),
      ],
      expected: settled('RESOLVED'),
    },
    {
      name: 'resolvedMutually',
      steps: [...disputed(duration), at(duration / 2, (scene, job) => sendMutualCancellation(scene, job, 5_000n))],
      expected: settled('RESOLVED'),
    },
    {
      name: 'conceded',
      steps: [...disputed(duration / 2), at(duration / 4, (scene, job) => sendRelease(scene, job))],
      expected: inPhase('ACTIVE', 'WORKING'),
    },
    {
      name: 'underNotice',
      cast: { poster: 'bruno' },
      steps: [...active(duration / 2), at(duration / 4, (scene, job) => sendNotice(scene, job))],
      expected: inPhase('ACTIVE', 'UNDER_NOTICE'),
    },
    {
      // Both sides have spoken, so the judge rules next.
      name: 'disputeNamed',
      cast: { poster: 'chiara' },
      steps: [
        ...signed(signedStart + 0.2 * duration, { arbitrator: accounts.mateo.address }),
        at(signedStart + 0.1 * duration, (scene, job) => sendFunding(scene, job)),
        at(signedStart, (scene, job) => sendActivation(scene, job)),
        deliver(heardAlready + review / 3),
        at(heardAlready, (scene, job, { work }) => sendDispute(scene, job, work.complaint, { shareBps: 2_000n })),
        at(heardAlready - 0.2 * p.evidenceWindow, (scene, job) => acceptCase(scene, job, accounts.mateo)),
        answer(heardAlready - 0.5 * p.evidenceWindow, 8_000n),
      ],
      expected: inDispute('EVIDENCE'),
    },
    {
      name: 'disputeSteppedDown',
      cast: { poster: 'devi' },
      steps: [
        ...disputed(1.2 * p.consentWindow),
        at(0.6 * p.consentWindow, (scene, job) => agreeOnJudge(scene, job, accounts.lena)),
        // Nobody can be named any more, so the final court has the case.
        at(0.1 * p.consentWindow, (scene, job) => sendStepDown(scene, job)),
      ],
      expected: inDispute('COURT'),
    },
    {
      name: 'completedUnderNotice',
      cast: { poster: 'bruno' },
      steps: [
        ...active(2 * duration),
        at(1.8 * duration, (scene, job) => sendNotice(scene, job)),
        deliver(1.7 * duration),
        at(1.6 * duration, (scene, job) => sendRelease(scene, job)),
      ],
      expected: settled('COMPLETED'),
    },
  ]

  const offers = openOffers[market].map(
    ({ poster, postedHoursAgo, closesInHours, permitOnly, ...brief }, index): Scenario => ({
      name: `offer${index + 1}`,
      brief,
      cast: { poster },
      steps: [
        starts(postedHoursAgo * hour, (run) =>
          sendPost(run.scene, makeOffer(run, { permitOnly, claimDeadline: run.present + closesInHours * hour })),
        ),
      ],
      expected: inPhase('POSTED', 'OPEN_FOR_CLAIM'),
    }),
  )
  const finished = finishedTasks[market].map(
    ({ poster, worker, postedHoursAgo, paidHoursAgo, delivery, ...brief }, index): Scenario => {
      const paid = paidHoursAgo * hour
      const took = (postedHoursAgo - paidHoursAgo) * hour
      return {
        name: `finished${index + 1}`,
        brief,
        ...(delivery && { delivery }),
        cast: { poster, worker },
        steps: [
          ...posted(paid + took),
          at(paid + 0.9 * took, (scene, job, { cast }) => sendClaim(scene, job, cast.worker)),
          at(paid + 0.9 * took - 1.02 * p.vetWindow, (scene, job) => sendActivation(scene, job)),
          deliver(paid + 0.15 * took),
          at(paid, (scene, job) => sendRelease(scene, job)),
        ],
        expected: settled('COMPLETED'),
      }
    },
  )
  return [...states.map((scenario) => ({ ...scenario, brief: briefs[market][scenario.name] })), ...offers, ...finished]
}

/**
 * Returns the number of a scenario's task in its market. Tasks are numbered in the order in which they are posted, so it is
 * known before the world is built.
 */
export function findTaskNumber(market: Market, name: ScenarioName): bigint {
  const posted = listScenarios(market).sort((a, b) => getAge(b) - getAge(a))
  const index = posted.findIndex((scenario) => scenario.name === name)
  if (index < 0) throw new Error(`Unknown scenario ${name}.`)
  return BigInt(index + 1)
}

const getAge = ({ steps }: Scenario) => steps[0]?.secondsAgo ?? 0

function pick<T>(list: readonly T[], index: number): T {
  const found = list[index]
  if (found === undefined) throw new Error(`The demo world has no work number ${index + 1} for this scenario.`)
  return found
}

function requireJob({ job, scene }: ScenarioRun): Job {
  if (!job) throw new Error(`A scenario of the ${scene.market} market acts on its task before posting it.`)
  return job
}
