import {
  type DisputePhase,
  defaultReviewWindow,
  type Market,
  marketParams,
  type TaskPhase,
  type TaskState,
} from '@svc/protocol'
import { type LocalAccount, parseUnits } from 'viem'
import { accounts, peopleWhoAre } from './accounts.ts'
import {
  agreeOn,
  drawPanel,
  escalate,
  finalize,
  propose,
  resolveTimedOut,
  rule,
  submitEvidence,
} from './disputeSteps.ts'
import type { Scene } from './scene.ts'
import {
  activate,
  cancel,
  claim,
  complete,
  create,
  deliver,
  dismiss,
  expire,
  fund,
  type Job,
  leave,
  mutualCancel,
  type Offer,
  openDispute,
  post,
  release,
  releaseLapsed,
  requestRevision,
  workerOf,
} from './steps.ts'
import { briefs, type PlotName } from './texts.ts'

/** Something that happens to a task, so many seconds before the present. */
export interface Beat {
  ago: number
  play: (stage: Stage) => Promise<void>
}

/** Where a plot is played. */
export interface Stage {
  scene: Scene
  /** The present: when the world is ready. Unix seconds. */
  present: number
  cast: { poster: LocalAccount; worker: LocalAccount; other: LocalAccount }
  brief: { text: string; amounts: readonly bigint[] }
  /** Null until the task is posted. */
  job: Job | null
}

/** The story of one task, and where it leaves the task. */
export interface Plot {
  name: PlotName
  beats: readonly Beat[]
  ends: { state: TaskState; phase: TaskPhase; dispute?: DisputePhase }
}

/** A stage for each plot of a market, with people taking turns. */
export function stageOf(scene: Scene, name: PlotName, index: number, present: number): Stage {
  const posters = peopleWhoAre('poster')
  const workers = peopleWhoAre('worker')
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

/** The demo world's tasks: between them every state and every phase. Times follow the market's windows. */
export function plotsOf(market: Market): Plot[] {
  const p = marketParams[market]
  const review = defaultReviewWindow[market]
  const duration = 3 * p.fundingWindow

  const at = (ago: number, play: (scene: Scene, job: Job, stage: Stage) => Promise<void>): Beat => ({
    ago,
    play: (stage) => play(stage.scene, jobOf(stage), stage),
  })
  const starts = (ago: number, start: (stage: Stage) => Promise<Job>): Beat => ({
    ago,
    play: async (stage) => {
      stage.job = await start(stage)
    },
  })
  const offerOf = ({ cast, brief }: Stage, more: Partial<Offer>): Offer => ({
    poster: cast.poster,
    text: brief.text,
    amounts: brief.amounts,
    duration,
    ...more,
  })

  const posted = (ago: number, more: Partial<Offer> = {}, fundAmount?: bigint) => [
    starts(ago, (stage) => post(stage.scene, offerOf(stage, more), fundAmount)),
  ]
  const claimed = (ago: number, more: Partial<Offer> = {}, fundAmount?: bigint) => [
    ...posted(ago + p.fundingWindow / 2, more, fundAmount),
    at(ago, (scene, job, { cast }) => claim(scene, job, cast.worker)),
  ]
  const active = (ago: number, more: Partial<Offer> = {}) => [
    ...claimed(ago + p.fundingWindow / 4, more),
    at(ago, (scene, job) => activate(scene, job)),
  ]
  const delivered = (ago: number, more: Partial<Offer> = {}) => [
    ...active(ago + duration / 2, more),
    at(ago, (scene, job) => deliver(scene, job, 'Everything the task asks for, with notes.')),
  ]
  const disputed = (ago: number, more: Partial<Offer> = {}) => [
    ...delivered(ago + review / 3, more),
    at(ago, (scene, job) => openDispute(scene, job, 'Half of it is missing; see the list.')),
  ]
  const signed = (ago: number) => [starts(ago, (stage) => create(stage.scene, offerOf(stage, {}), stage.cast.worker))]
  const answer = (ago: number) =>
    at(ago, (scene, job) => submitEvidence(scene, job, workerOf(job), 'All of it was delivered; see the log.'))
  const ruled = (ago: number, share: bigint) => [
    ...disputed(ago + 0.4 * p.appealWindow),
    at(ago + 0.3 * p.appealWindow, (scene, job) => agreeOn(scene, job, accounts.kofi)),
    answer(ago + 0.2 * p.appealWindow),
    at(ago, (scene, job) => rule(scene, job, [share], 'The delivery against the task’s own words.')),
  ]
  const bothSpeakAgain = (ago: number) => [
    at(ago, (scene, job) => submitEvidence(scene, job, job.poster, 'The first ruling overlooked the second list.')),
    answer(ago),
  ]

  const inPhase = (state: TaskState, phase: TaskPhase): Plot['ends'] => ({ state, phase })
  const inDispute = (dispute: DisputePhase): Plot['ends'] => ({ state: 'DISPUTED', phase: 'IN_DISPUTE', dispute })
  const settled = (state: TaskState): Plot['ends'] => ({ state, phase: 'SETTLED' })

  const recordEnds = p.evidenceWindow / 4
  const secondDraw = recordEnds + 1.1 * p.evidenceWindow
  const firstDraw = secondDraw + 1.1 * (p.evidenceWindow + p.rulingWindow)
  const panelRules = 1.5 * p.appealWindow

  return [
    { name: 'open', beats: posted(p.vetWindow), ends: inPhase('POSTED', 'OPEN_FOR_CLAIM') },
    { name: 'openUnfunded', beats: posted(p.vetWindow / 2, {}, 0n), ends: inPhase('POSTED', 'OPEN_FOR_CLAIM') },
    {
      name: 'permitOnly',
      beats: posted(2 * p.vetWindow, { permitOnly: true }),
      ends: inPhase('POSTED', 'OPEN_FOR_CLAIM'),
    },
    {
      name: 'claimClosed',
      beats: [
        starts(6 * p.claimCutoff, (stage) =>
          post(stage.scene, offerOf(stage, { claimDeadline: stage.present + p.claimCutoff / 2 })),
        ),
      ],
      ends: inPhase('POSTED', 'CLAIM_CLOSED'),
    },
    {
      name: 'awaitingFunds',
      beats: claimed(p.fundingWindow / 4, {}, 10n ** 21n),
      ends: inPhase('CLAIMED', 'AWAITING_FUNDS'),
    },
    { name: 'claimLapsed', beats: claimed(2 * p.fundingWindow, {}, 0n), ends: inPhase('CLAIMED', 'AWAITING_FUNDS') },
    { name: 'readyToStart', beats: claimed(p.fundingWindow / 3), ends: inPhase('CLAIMED', 'READY_TO_START') },
    { name: 'privateWaiting', beats: signed(p.fundingWindow / 5), ends: inPhase('CLAIMED', 'AWAITING_FUNDS') },
    {
      name: 'working',
      beats: [...delivered(duration / 2), at(duration / 3, (scene, job) => release(scene, job))],
      ends: inPhase('ACTIVE', 'WORKING'),
    },
    {
      name: 'revised',
      beats: [
        ...delivered(duration / 2),
        at(duration / 3, (scene, job) => requestRevision(scene, job, 'Page 3 still uses the old numbers.')),
      ],
      ends: inPhase('ACTIVE', 'WORKING'),
    },
    {
      name: 'privateWorking',
      beats: [
        ...signed(duration / 2 + 2 * p.vetWindow),
        at(duration / 2 + p.vetWindow, (scene, job) => fund(scene, job)),
        at(duration / 2, (scene, job) => activate(scene, job, workerOf(job))),
      ],
      ends: inPhase('ACTIVE', 'WORKING'),
    },
    { name: 'inReview', beats: delivered(review / 4, { permitOnly: true }), ends: inPhase('ACTIVE', 'IN_REVIEW') },
    { name: 'reviewLapsed', beats: delivered(1.25 * review), ends: inPhase('ACTIVE', 'REVIEW_LAPSED') },
    { name: 'overdue', beats: active(1.25 * duration), ends: inPhase('ACTIVE', 'OVERDUE') },
    {
      name: 'disputeOpen',
      beats: [
        ...disputed(p.consentWindow / 3),
        at(p.consentWindow / 4, (scene, job) => propose(scene, job, workerOf(job), accounts.lena.address)),
      ],
      ends: inDispute('OPEN'),
    },
    {
      name: 'disputeEvidence',
      beats: disputed(p.evidenceWindow / 3, { arbitrator: accounts.jun.address }),
      ends: inDispute('EVIDENCE'),
    },
    { name: 'disputeRuled', beats: ruled(p.appealWindow / 2, 6_000n), ends: inDispute('RULED') },
    {
      name: 'disputeAppealed',
      beats: [
        ...ruled(p.evidenceWindow / 2, 3_500n),
        at(p.evidenceWindow / 3, (scene, job) => escalate(scene, job, workerOf(job))),
        at(p.evidenceWindow / 4, (scene, job) => drawPanel(scene, job)),
        ...bothSpeakAgain(p.evidenceWindow / 6),
        at(p.evidenceWindow / 8, (scene, job) => rule(scene, job, [7_000n], 'The tests pass; two are skipped.')),
      ],
      ends: inDispute('EVIDENCE'),
    },
    {
      name: 'completed',
      beats: [
        ...delivered(3 * duration),
        at(2.9 * duration, (scene, job) => release(scene, job)),
        at(2.5 * duration, (scene, job) => deliver(scene, job, 'Second part, first version.')),
        at(2.4 * duration, (scene, job) => requestRevision(scene, job, 'Three entries are doubled.')),
        at(2 * duration, (scene, job) => deliver(scene, job, 'Second part, corrected.')),
        at(1.9 * duration, (scene, job) => release(scene, job)),
      ],
      ends: settled('COMPLETED'),
    },
    {
      name: 'completedBySilence',
      beats: [...delivered(1.5 * review), at(review / 4, (scene, job) => releaseLapsed(scene, job))],
      ends: settled('COMPLETED'),
    },
    {
      name: 'privateCompleted',
      beats: [
        ...signed(2 * duration),
        at(1.9 * duration, (scene, job) => fund(scene, job)),
        at(1.8 * duration, (scene, job) => activate(scene, job)),
        at(1.5 * duration, (scene, job) => deliver(scene, job, 'As agreed.')),
        at(1.4 * duration, (scene, job) => complete(scene, job)),
      ],
      ends: settled('COMPLETED'),
    },
    {
      name: 'cancelled',
      beats: [...posted(duration), at(duration / 2, (scene, job) => cancel(scene, job))],
      ends: settled('CANCELLED'),
    },
    {
      name: 'mutuallyCancelled',
      beats: [...active(duration), at(duration / 2, (scene, job) => mutualCancel(scene, job, 4_000n))],
      ends: settled('CANCELLED'),
    },
    {
      name: 'abandoned',
      beats: [...active(duration), at(duration / 3, (scene, job) => leave(scene, job))],
      ends: settled('CANCELLED'),
    },
    {
      name: 'reopened',
      beats: [
        ...claimed(duration / 2),
        at(duration / 3, (scene, job) => leave(scene, job)),
        at(duration / 4, (scene, job, { cast }) => claim(scene, job, cast.other)),
        at(duration / 6, (scene, job) => dismiss(scene, job)),
      ],
      ends: inPhase('POSTED', 'OPEN_FOR_CLAIM'),
    },
    {
      name: 'expiredUnclaimed',
      beats: [
        starts(8 * p.claimCutoff, (stage) =>
          post(stage.scene, offerOf(stage, { claimDeadline: stage.present - 2 * p.claimCutoff })),
        ),
        at(2 * p.claimCutoff, (scene, job) => expire(scene, job)),
      ],
      ends: settled('EXPIRED'),
    },
    {
      name: 'expiredLate',
      beats: [...active(1.5 * duration), at(duration / 4, (scene, job) => expire(scene, job))],
      ends: settled('EXPIRED'),
    },
    {
      name: 'privateExpired',
      beats: [...signed(2 * p.fundingWindow), at(p.fundingWindow / 2, (scene, job) => expire(scene, job))],
      ends: settled('EXPIRED'),
    },
    {
      name: 'resolvedForWorker',
      beats: [...ruled(1.5 * p.appealWindow, 10_000n), at(p.appealWindow / 4, (scene, job) => finalize(scene, job))],
      ends: settled('RESOLVED'),
    },
    {
      name: 'resolvedForPoster',
      beats: [...ruled(1.6 * p.appealWindow, 0n), at(p.appealWindow / 3, (scene, job) => finalize(scene, job))],
      ends: settled('RESOLVED'),
    },
    {
      name: 'resolvedByPanel',
      beats: [
        ...ruled(panelRules + 0.5 * p.evidenceWindow, 2_000n),
        at(panelRules + 0.4 * p.evidenceWindow, (scene, job) => escalate(scene, job, workerOf(job))),
        at(panelRules + 0.3 * p.evidenceWindow, (scene, job) => drawPanel(scene, job)),
        ...bothSpeakAgain(panelRules + 0.2 * p.evidenceWindow),
        at(panelRules, (scene, job) => rule(scene, job, [8_000n, 7_000n, 5_000n], 'The snow load is right after all.')),
        at(p.appealWindow / 4, (scene, job) => finalize(scene, job)),
      ],
      ends: settled('RESOLVED'),
    },
    {
      name: 'resolvedByRecord',
      beats: [
        ...disputed(firstDraw + 1.1 * p.consentWindow),
        at(firstDraw, (scene, job) => drawPanel(scene, job)),
        at(secondDraw, (scene, job) => resolveTimedOut(scene, job)),
        at(recordEnds, (scene, job) => resolveTimedOut(scene, job)),
      ],
      ends: settled('RESOLVED'),
    },
    {
      name: 'resolvedMutually',
      beats: [...disputed(duration), at(duration / 2, (scene, job) => mutualCancel(scene, job, 5_000n))],
      ends: settled('RESOLVED'),
    },
    {
      name: 'conceded',
      beats: [...disputed(duration / 2), at(duration / 4, (scene, job) => release(scene, job))],
      ends: inPhase('ACTIVE', 'WORKING'),
    },
  ]
}

function jobOf({ job, scene }: Stage): Job {
  if (!job) throw new Error(`A task of the ${scene.market} market is acted on before it is posted.`)
  return job
}
