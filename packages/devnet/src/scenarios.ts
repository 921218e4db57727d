import {
  type DisputePhase,
  defaultReviewWindow,
  type Market,
  marketParams,
  type TaskPhase,
  type TaskState,
} from '@svc/protocol'
import { type LocalAccount, parseUnits } from 'viem'
import { accounts, listPeople } from './accounts.ts'
import {
  agreeOnArbitrator,
  drawPanel,
  sendAppeal,
  sendEvidence,
  sendFinalization,
  sendProposal,
  sendRulings,
  sendTimeoutResolution,
} from './disputeSteps.ts'
import type { Scene } from './scene.ts'
import {
  type Job,
  type Offer,
  requireWorker,
  sendActivation,
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
  sendPost,
  sendRelease,
  sendRevisionRequest,
} from './steps.ts'
import { briefs, type ScenarioName } from './texts.ts'

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
  brief: { text: string; amounts: readonly bigint[] }
  /** Null until the task is posted. */
  job: Job | null
}

/** The steps of one task, and the state and phase they leave it in. */
export interface Scenario {
  name: ScenarioName
  steps: readonly ScenarioStep[]
  expected: { state: TaskState; phase: TaskPhase; dispute?: DisputePhase }
}

/** Prepares the run of a scenario. `index` rotates through the posters and workers. */
export function createScenarioRun(scene: Scene, name: ScenarioName, index: number, present: number): ScenarioRun {
  const posters = listPeople('poster')
  const workers = listPeople('worker')
  const person = (list: typeof posters, at: number) => accounts[list[at % list.length] ?? 'newcomer']
  const { text, tok } = briefs[name][scene.market]
  return {
    scene,
    present,
    cast: { poster: person(posters, index), worker: person(workers, index), other: person(workers, index + 1) },
    brief: { text, amounts: tok.map((amount) => parseUnits(String(amount), 18)) },
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
    text: brief.text,
    amounts: brief.amounts,
    duration,
    ...more,
  })

  const posted = (secondsAgo: number, more: Partial<Offer> = {}, fundAmount?: bigint) => [
    starts(secondsAgo, (run) => sendPost(run.scene, makeOffer(run, more), fundAmount)),
  ]
  const claimed = (secondsAgo: number, more: Partial<Offer> = {}, fundAmount?: bigint) => [
    ...posted(secondsAgo + p.fundingWindow / 2, more, fundAmount),
    at(secondsAgo, (scene, job, { cast }) => sendClaim(scene, job, cast.worker)),
  ]
  const active = (secondsAgo: number, more: Partial<Offer> = {}) => [
    ...claimed(secondsAgo + p.fundingWindow / 4, more),
    at(secondsAgo, (scene, job) => sendActivation(scene, job)),
  ]
  const delivered = (secondsAgo: number, more: Partial<Offer> = {}) => [
    ...active(secondsAgo + duration / 2, more),
    at(secondsAgo, (scene, job) => sendDelivery(scene, job, 'Everything the task asks for, with notes.')),
  ]
  const disputed = (secondsAgo: number, more: Partial<Offer> = {}) => [
    ...delivered(secondsAgo + review / 3, more),
    at(secondsAgo, (scene, job) => sendDispute(scene, job, 'Half of it is missing; see the list.')),
  ]
  const signed = (secondsAgo: number) => [
    starts(secondsAgo, (run) => sendCreate(run.scene, makeOffer(run, {}), run.cast.worker)),
  ]
  const answer = (secondsAgo: number) =>
    at(secondsAgo, (scene, job) =>
      sendEvidence(scene, job, requireWorker(job), 'All of it was delivered; see the log.'),
    )
  const ruled = (secondsAgo: number, share: bigint) => [
    ...disputed(secondsAgo + 0.4 * p.appealWindow),
    at(secondsAgo + 0.3 * p.appealWindow, (scene, job) => agreeOnArbitrator(scene, job, accounts.kofi)),
    answer(secondsAgo + 0.2 * p.appealWindow),
    at(secondsAgo, (scene, job) => sendRulings(scene, job, [share], 'The delivery against the task’s own words.')),
  ]
  const bothSpeakAgain = (secondsAgo: number) => [
    at(secondsAgo, (scene, job) =>
      sendEvidence(scene, job, job.poster, 'The first ruling overlooked the second list.'),
    ),
    answer(secondsAgo),
  ]

  const inPhase = (state: TaskState, phase: TaskPhase): Scenario['expected'] => ({ state, phase })
  const inDispute = (dispute: DisputePhase): Scenario['expected'] => ({
    state: 'DISPUTED',
    phase: 'IN_DISPUTE',
    dispute,
  })
  const settled = (state: TaskState): Scenario['expected'] => ({ state, phase: 'SETTLED' })

  const recordEnds = p.evidenceWindow / 4
  const secondDraw = recordEnds + 1.1 * p.evidenceWindow
  const firstDraw = secondDraw + 1.1 * (p.evidenceWindow + p.rulingWindow)
  const panelRules = 1.5 * p.appealWindow

  return [
    { name: 'open', steps: posted(p.vetWindow), expected: inPhase('POSTED', 'OPEN_FOR_CLAIM') },
    { name: 'openUnfunded', steps: posted(p.vetWindow / 2, {}, 0n), expected: inPhase('POSTED', 'OPEN_FOR_CLAIM') },
    {
      name: 'permitOnly',
      steps: posted(2 * p.vetWindow, { permitOnly: true }),
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
      expected: inPhase('CLAIMED', 'AWAITING_FUNDS'),
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
      steps: [
        ...delivered(duration / 2),
        at(duration / 3, (scene, job) => sendRevisionRequest(scene, job, 'Page 3 still uses the old numbers.')),
      ],
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
      steps: disputed(p.evidenceWindow / 3, { arbitrator: accounts.jun.address }),
      expected: inDispute('EVIDENCE'),
    },
    { name: 'disputeRuled', steps: ruled(p.appealWindow / 2, 6_000n), expected: inDispute('RULED') },
    {
      name: 'disputeAppealed',
      steps: [
        ...ruled(p.evidenceWindow / 2, 3_500n),
        at(p.evidenceWindow / 3, (scene, job) => sendAppeal(scene, job, requireWorker(job))),
        at(p.evidenceWindow / 4, (scene, job) => drawPanel(scene, job)),
        ...bothSpeakAgain(p.evidenceWindow / 6),
        at(p.evidenceWindow / 8, (scene, job) => sendRulings(scene, job, [7_000n], 'The tests pass; two are skipped.')),
      ],
      expected: inDispute('EVIDENCE'),
    },
    {
      name: 'completed',
      steps: [
        ...delivered(3 * duration),
        at(2.9 * duration, (scene, job) => sendRelease(scene, job)),
        at(2.5 * duration, (scene, job) => sendDelivery(scene, job, 'Second part, first version.')),
        at(2.4 * duration, (scene, job) => sendRevisionRequest(scene, job, 'Three entries are doubled.')),
        at(2 * duration, (scene, job) => sendDelivery(scene, job, 'Second part, corrected.')),
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
        at(1.5 * duration, (scene, job) => sendDelivery(scene, job, 'As agreed.')),
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
        ...ruled(1.5 * p.appealWindow, 10_000n),
        at(p.appealWindow / 4, (scene, job) => sendFinalization(scene, job)),
      ],
      expected: settled('RESOLVED'),
    },
    {
      name: 'resolvedForPoster',
      steps: [...ruled(1.6 * p.appealWindow, 0n), at(p.appealWindow / 3, (scene, job) => sendFinalization(scene, job))],
      expected: settled('RESOLVED'),
    },
    {
      name: 'resolvedByPanel',
      steps: [
        ...ruled(panelRules + 0.5 * p.evidenceWindow, 2_000n),
        at(panelRules + 0.4 * p.evidenceWindow, (scene, job) => sendAppeal(scene, job, requireWorker(job))),
        at(panelRules + 0.3 * p.evidenceWindow, (scene, job) => drawPanel(scene, job)),
        ...bothSpeakAgain(panelRules + 0.2 * p.evidenceWindow),
        at(panelRules, (scene, job) =>
          sendRulings(scene, job, [8_000n, 7_000n, 5_000n], 'The snow load is right after all.'),
        ),
        at(p.appealWindow / 4, (scene, job) => sendFinalization(scene, job)),
      ],
      expected: settled('RESOLVED'),
    },
    {
      name: 'resolvedByRecord',
      steps: [
        ...disputed(firstDraw + 1.1 * p.consentWindow),
        at(firstDraw, (scene, job) => drawPanel(scene, job)),
        at(secondDraw, (scene, job) => sendTimeoutResolution(scene, job)),
        at(recordEnds, (scene, job) => sendTimeoutResolution(scene, job)),
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
  ]
}

function requireJob({ job, scene }: ScenarioRun): Job {
  if (!job) throw new Error(`A scenario of the ${scene.market} market acts on its task before posting it.`)
  return job
}
