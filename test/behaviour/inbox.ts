// What waits for a wallet, by scenario and role, written out: the rules have tests of their own.
import { accounts } from '@svc/devnet'
import { type Address, isAddressEqual } from 'viem'
import { isWallet, readText } from './expected.ts'
import type { MarketFacts, TaskFact } from './facts.ts'
import type { BehaviourWorld } from './world.ts'

type Clock = 'start' | 'milestone' | 'review' | 'consentEnd' | 'evidenceEnd' | 'rulingEnd' | 'courtEnd' | null
type Role = 'poster' | 'worker' | 'judge' | 'court'

interface Waiting {
  actions: readonly (readonly [action: string, verb: string, until?: Clock])[]
  urgent: Clock
  duty: boolean
}

const [agree, approve] = [
  ['mutual-cancel', 'Cancel by agreement'],
  ['accept-milestone', 'Approve and pay'],
] as const
const expire = ['expire-task', 'Close overdue task'] as const
const evidence = ['submit-evidence', 'Submit evidence', 'evidenceEnd'] as const
const propose = ['propose-arbitrator', 'Propose arbitrator', 'consentEnd'] as const

const funding: Waiting = {
  actions: [['fund-task', 'Fund task', 'start'], ['dismiss-worker', 'Remove worker', 'start'], agree],
  urgent: 'start',
  duty: true,
}
const delivery: Waiting = {
  actions: [['submit-proof', 'Submit work', 'milestone'], ['leave-task', 'Leave task', 'milestone'], agree],
  urgent: 'milestone',
  duty: true,
}

const hearing = {
  poster: { actions: [approve, agree, evidence], urgent: 'evidenceEnd', duty: false },
  worker: { actions: [agree, evidence], urgent: 'evidenceEnd', duty: false },
  judge: { actions: [['step-down', 'Give case back', 'rulingEnd']], urgent: 'rulingEnd', duty: true },
} as const satisfies Partial<Record<Role, Waiting>>

const waiting: Readonly<Record<string, Partial<Record<Role, Waiting>>>> = {
  claimClosed: { poster: { actions: [['cancel-task', 'Cancel task'], expire], urgent: null, duty: false } },
  claimLapsed: { worker: { actions: [expire, agree], urgent: null, duty: false } },
  awaitingFunds: { poster: funding },
  privateWaiting: { poster: funding },
  working: { worker: delivery },
  privateWorking: { worker: delivery },
  revised: { worker: delivery },
  conceded: { worker: delivery },
  inReview: {
    poster: {
      actions: [
        ['request-revision', 'Request changes', 'review'],
        approve,
        ['complete-task', 'Approve all and pay'],
        agree,
        ['open-dispute', 'Open a dispute', 'review'],
      ],
      urgent: 'review',
      duty: true,
    },
  },
  disputeOpen: {
    poster: { actions: [approve, agree, propose, evidence], urgent: 'consentEnd', duty: false },
    worker: { actions: [agree, propose, evidence], urgent: 'consentEnd', duty: false },
  },
  disputeEvidence: hearing,
  disputeNamed: {
    poster: { actions: [approve, agree], urgent: null, duty: false },
    worker: { actions: [agree], urgent: null, duty: false },
  },
  disputeSteppedDown: { poster: hearing.poster, worker: hearing.worker },
  underNotice: {
    worker: {
      actions: [['submit-proof', 'Submit work', 'milestone'], expire, agree],
      urgent: 'milestone',
      duty: false,
    },
  },
  disputeAppealed: {
    court: { actions: [['decide-dispute', 'Submit decision', 'courtEnd']], urgent: 'courtEnd', duty: true },
  },
}

/** The wallets whose every task is written out above. */
export const inboxOwners = [accounts.ada, accounts.emeka, accounts.jun, accounts.court, accounts.newcomer]

/** The entries of an inbox: the earliest deadline first, those without one last, and the newest task first among equals. */
export function describeInbox({ demoTasks }: BehaviourWorld, of: MarketFacts, wallet: Address) {
  const entries = of.tasks.toReversed().flatMap((task) => {
    const demo = demoTasks.find(({ market, taskId }) => market === of.market && taskId === task.number)
    const role = findRole(task, wallet)
    const row = role && waiting[demo?.scenario.name ?? '']?.[role]
    if (!row) return []
    const { dispute } = task
    const ends = {
      start: task.claimedAt + of.params.fundingWindow,
      milestone: task.deadline,
      review: task.reviewEnd,
      consentEnd: dispute?.consentEnd ?? 0,
      evidenceEnd: dispute?.evidenceEnd ?? 0,
      rulingEnd: dispute?.rulingEnd ?? 0,
      courtEnd: dispute?.courtEnd ?? 0,
    }
    const entry = {
      taskId: task.id,
      title: readText(task)?.title ?? null,
      role,
      state: task.state,
      disputePhase: demo?.scenario.expected.dispute ?? null,
      amountTokWei: task.milestones[task.current]?.amount,
      actions: row.actions.map(([action, verb, until = null]) => ({ action, verb, until: until && ends[until] })),
      urgent: row.urgent && ends[row.urgent],
      duty: row.duty,
    }
    return [entry]
  })
  const last = Number.MAX_SAFE_INTEGER
  return entries.toSorted((a, b) => (a.urgent ?? last) - (b.urgent ?? last))
}

function findRole({ poster, worker, dispute }: TaskFact, wallet: Address): Role | null {
  if (isWallet(poster, wallet)) return 'poster'
  if (isWallet(worker, wallet)) return 'worker'
  if (dispute && isAddressEqual(dispute.judge, wallet)) return 'judge'
  return isAddressEqual(accounts.court.address, wallet) ? 'court' : null
}
