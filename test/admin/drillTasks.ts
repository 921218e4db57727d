import {
  accounts,
  advanceTime,
  agreeOnJudge,
  type Job,
  type Offer,
  type Scene,
  sendActivation,
  sendAppeal,
  sendClaim,
  sendCreate,
  sendDelivery,
  sendDispute,
  sendEvidence,
  sendNotice,
  sendPost,
  sendProposal,
  sendRuling,
} from '@svc/devnet'
import { type LocalAccount, parseEther } from 'viem'
import type { DrilledTask } from './drillExits.ts'

/** Who takes part in the tasks of a drill. */
export interface Parties {
  poster: LocalAccount
  worker: LocalAccount
}

const twoMilestones = [parseEther('70'), parseEther('30')]
const lastMilestone = [parseEther('50')]

/** A task of a drill on its way into a state. */
interface Start {
  scene: Scene
  parties: Parties
  job: Job
}

type Step = (start: Start) => Promise<unknown>

const claim: Step = ({ scene, job, parties }) => sendClaim(scene, job, parties.worker)
const activate: Step = ({ scene, job }) => sendActivation(scene, job)
const deliver: Step = ({ scene, job }) => sendDelivery(scene, job, 'All of it.')
const dispute: Step = ({ scene, job }) => sendDispute(scene, job, 'Half of it is missing.')
const propose: Step = async ({ scene, job, parties }) => {
  for (const party of [parties.poster, parties.worker]) await sendProposal(scene, job, party, accounts.jun.address)
}
const notice: Step = ({ scene, job }) => sendNotice(scene, job)
const seat: Step = ({ scene, job }) => agreeOnJudge(scene, job, accounts.jun)
const answer: Step = ({ scene, job, parties }) =>
  sendEvidence(scene, job, parties.worker, 'Nothing is missing.', 10_000n)
const rule: Step = ({ scene, job }) => sendRuling(scene, job, true, 'Most of it is there.')
const appeal: Step = ({ scene, job, parties }) => sendAppeal(scene, job, parties.poster)

/** A way into a state of the tables. */
interface Way {
  amounts?: readonly bigint[]
  /** What is funded at once. Default: everything. */
  funded?: bigint
  store?: `0x${string}`
  isPrivate?: boolean
  isPermitOnly?: boolean
  steps: readonly Step[]
  /** What comes once both parties have been heard. */
  afterEvidence?: readonly Step[]
  /** How many such tasks a drill needs. */
  copies: Readonly<Record<'prepare' | 'execute', number>>
}

const store = accounts.store.address
const underWay = [claim, activate]
const inReview = [...underWay, deliver]
const inDispute = [...inReview, dispute]
const withJudge = [...inDispute, seat]
const heard = [...withJudge, answer]

/** The states that a task can be left in. */
const ways = {
  posted: { steps: [], copies: { prepare: 1, execute: 3 } },
  'posted, with permits': { isPermitOnly: true, steps: [], copies: { prepare: 1, execute: 1 } },
  'posted, not funded': { funded: 0n, steps: [], copies: { prepare: 1, execute: 1 } },
  claimed: { steps: [claim], copies: { prepare: 2, execute: 6 } },
  'claimed, not funded': { funded: 0n, steps: [claim], copies: { prepare: 1, execute: 3 } },
  private: { isPrivate: true, steps: [], copies: { prepare: 1, execute: 2 } },
  active: { steps: underWay, copies: { prepare: 2, execute: 5 } },
  'last milestone': { amounts: lastMilestone, steps: underWay, copies: { prepare: 1, execute: 3 } },
  'under notice': { steps: [...underWay, notice], copies: { prepare: 1, execute: 2 } },
  delivered: { steps: inReview, copies: { prepare: 3, execute: 4 } },
  'last delivered': { amounts: lastMilestone, steps: inReview, copies: { prepare: 1, execute: 3 } },
  'delivered without a receipt': { store, steps: inReview, copies: { prepare: 4, execute: 7 } },
  disputed: { steps: inDispute, copies: { prepare: 4, execute: 8 } },
  'last disputed': { amounts: lastMilestone, steps: inDispute, copies: { prepare: 1, execute: 1 } },
  'judge agreed': { steps: [...inDispute, propose], copies: { prepare: 1, execute: 1 } },
  'left to the court': { steps: inDispute, copies: { prepare: 1, execute: 2 } },
  'with a judge': { steps: withJudge, copies: { prepare: 4, execute: 8 } },
  heard: { steps: heard, copies: { prepare: 2, execute: 3 } },
  ruled: { steps: heard, afterEvidence: [rule], copies: { prepare: 2, execute: 2 } },
  appealed: { steps: heard, afterEvidence: [rule, appeal], copies: { prepare: 1, execute: 3 } },
} as const satisfies Record<string, Way>

export type WayName = keyof typeof ways

/** What tasks are for: to look at each state once, to prepare every exit, or to execute each exit on another task. */
export type Purpose = 'look' | 'prepare' | 'execute'

/** Starts as many tasks as a drill needs, in every state. Those that wait for the evidence come first: the others would lapse. */
export async function startTasks(scene: Scene, parties: Parties, to: Purpose): Promise<DrilledTask[]> {
  const start = async (isWanted: (way: Way) => boolean) => {
    const tasks: (DrilledTask & { job: Job })[] = []
    for (const [name, way] of Object.entries<Way>(ways).filter(([, each]) => isWanted(each)))
      for (let left = to === 'look' ? 1 : way.copies[to]; left > 0; left--) {
        const job = await startTask(scene, name as WayName, parties)
        tasks.push({ ...job, way: name, job })
      }
    return tasks
  }
  const late = await start(({ afterEvidence }) => afterEvidence !== undefined)
  await advanceTime(scene.client, scene.params.evidenceWindow + 60)
  for (const { way, job } of late) {
    const { afterEvidence = [] }: Way = ways[way as WayName]
    for (const step of afterEvidence) await step({ scene, parties, job })
  }
  return [...late, ...(await start(({ afterEvidence }) => afterEvidence === undefined))]
}

/** Starts a task and brings it into a state, as far as that needs no time. */
export async function startTask(scene: Scene, name: WayName, parties: Parties): Promise<Job> {
  const way: Way = ways[name]
  const offer: Offer = {
    poster: parties.poster,
    text: `Count the birds\n\nAll of them (${name}).`,
    amounts: way.amounts ?? twoMilestones,
    duration: 2 * scene.params.minDuration,
    ...(way.store && { store: way.store }),
    permitOnly: way.isPermitOnly,
  }
  const job = way.isPrivate ? await sendCreate(scene, offer, parties.worker) : await sendPost(scene, offer, way.funded)
  for (const step of way.steps) await step({ scene, parties, job })
  return job
}
