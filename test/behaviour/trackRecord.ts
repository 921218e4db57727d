// What wallets did, from the events of their tasks, and what they say about themselves.
import type { Address } from 'viem'
import { isList, isObject, type Json, type JsonObject } from './call.ts'
import { describeAgent, formatMoney, isWallet } from './expected.ts'
import { findAgent, type MarketFacts, scoreFormula, type TaskFact } from './facts.ts'
import type { BehaviourWorld } from './world.ts'

/** What a wallet says about itself. */
export function describeProfile({ profiles }: BehaviourWorld, wallet: Address): object | null {
  const statement = profiles.find((each: JsonObject) => each.wallet === wallet)
  return statement ? { profile: JSON.parse(String(statement.profile)), statement } : null
}

/** The same, as tools show it: text of others in fields of its own. */
export function describeUntrustedProfile({ profiles }: BehaviourWorld, wallet: Address) {
  const statement = profiles.find((each) => each.wallet === wallet)
  if (!statement) return null
  const profile: JsonObject = JSON.parse(String(statement.profile))
  const list = (name: string) => readObjects(profile[name])
  return {
    untrustedDisplayName: profile.displayName,
    untrustedAbout: profile.about ?? '',
    skills: profile.skills ?? [],
    languages: profile.languages ?? [],
    untrustedLinks: list('links').map(({ label, url }) => `${label}: ${url}`),
    untrustedContact: profile.contact ?? null,
    untrustedOfferings: list('offerings').map(({ title, priceTokWei, turnaroundHours, inputSchema = null }) => ({
      title,
      priceTokWei,
      price: formatMoney(BigInt(String(priceTokWei)), 'TOK'),
      turnaroundHours,
      inputSchema: JSON.stringify(inputSchema),
      outputSchema: 'null',
    })),
    signedFor: statement.domain,
    signedAt: statement.issuedAt,
  }
}

const readObjects = (value: Json | undefined) => (isList(value) ? value.filter(isObject) : [])

/** What a wallet did in a market, from the events of its tasks. */
export function describeRecord(of: MarketFacts, wallet: Address) {
  const { market, tasks, events } = of
  const isMine = (task: TaskFact) => isWallet(task.poster, wallet)
  const isLive = ({ state }: TaskFact) => ['POSTED', 'CLAIMED', 'ACTIVE', 'DISPUTED'].includes(state)
  const ids = (some: readonly TaskFact[]) =>
    some
      .filter(isLive)
      .map(({ id }) => id)
      .toReversed()
  const first = events.find(
    ({ event, args }) =>
      (event === 'TaskPosted' && args.poster === wallet) ||
      (event === 'TaskCreated' && (args.poster === wallet || args.worker === wallet)) ||
      (event === 'TaskClaimed' && args.worker === wallet),
  )
  const link = (path: string, event?: string) =>
    `${path}?market=${market}&address=${wallet}${event ? `&event=${event}&cursor=0%3A0` : ''}`
  const recorded = (event: string) => link('/api/market/events', event)
  return {
    ...describeAgent(findAgent(of, wallet)),
    market,
    formula: scoreFormula,
    firstSeen: first ? { at: first.timestamp, taskId: `v2:${market}:${first.args.taskId}` } : null,
    openAsPoster: ids(tasks.filter(isMine)),
    openAsWorker: ids(tasks.filter(({ worker }) => isWallet(worker, wallet))),
    review: median(listAnswerTimes(of, tasks.filter(isMine))),
    payment: median(listPaymentTimes(of, tasks.filter(isMine))),
    unansweredNotices: tasks.filter((task) => isWallet(task.worker, wallet) && endedUnanswered(of, task)).length,
    disputes: listDisputes(of, wallet),
    truncated: false,
    sources: {
      completed: recorded('CompletionRecorded'),
      paid: recorded('PaymentRecorded'),
      distinctCounterparties: recorded('CompletionRecorded'),
      disputes: recorded('DisputeRecorded'),
      leaves: recorded('LeaveRecorded'),
      dismissals: recorded('DismissalRecorded'),
      lapses: recorded('LapseRecorded'),
      review: link('/api/poster/tasks'),
      payment: link('/api/poster/tasks'),
      openAsPoster: link('/api/poster/tasks'),
      openAsWorker: link('/api/worker/tasks'),
    },
  }
}

/** Whether the poster gave notice, and the task expired with nothing in review. */
const endedUnanswered = ({ events }: MarketFacts, { number, state, reviewEnd }: TaskFact) =>
  state === 'EXPIRED' &&
  reviewEnd === 0 &&
  events.some(({ event, args }) => event === 'NoticeGiven' && args.taskId === number)

function median(times: readonly number[]) {
  const sorted = times.toSorted((a, b) => a - b)
  const half = Math.floor(sorted.length / 2)
  const [low = 0, high = 0] = [sorted[sorted.length % 2 === 1 ? half : half - 1], sorted[half]]
  return { seconds: sorted.length === 0 ? null : Math.floor((low + high) / 2), count: sorted.length }
}

/** Seconds from each delivery to what the poster did about it, or what happened without the poster. */
function listAnswerTimes({ events }: MarketFacts, tasks: readonly TaskFact[]): number[] {
  const answers = ['RevisionRequested', 'MilestoneReleased', 'DisputeOpened']
  return tasks.flatMap(({ number, poster }) => {
    const own = events.filter(({ args, contract }) => args.taskId === number && contract === 'taskRegistry')
    return own.flatMap(({ event, timestamp }, index) => {
      if (event !== 'MilestoneDelivered') return []
      const next = own.slice(index + 1).find((each) => answers.includes(each.event))
      const byWorker = next?.event === 'DisputeOpened' && next.args.opener !== poster
      return next && !byWorker ? [next.timestamp - timestamp] : []
    })
  })
}

/** Seconds from the first delivery of each milestone to its payment. */
function listPaymentTimes({ events }: MarketFacts, tasks: readonly TaskFact[]): number[] {
  return tasks.flatMap(({ number }) => {
    const own = events.filter(({ args, contract }) => args.taskId === number && contract === 'taskRegistry')
    return own
      .filter(({ event }) => event === 'MilestoneReleased')
      .flatMap(({ args, timestamp }) => {
        const first = own.find((each) => each.event === 'MilestoneDelivered' && each.args.milestone === args.milestone)
        return first ? [timestamp - first.timestamp] : []
      })
  })
}

const endings = ['NONE', 'RULED', 'DECIDED', 'TIMED_OUT', 'SETTLED', 'CONCEDED', 'CANCELLED']

function listDisputes({ market, tasks, events }: MarketFacts, wallet: Address) {
  return events
    .filter(({ event }) => event === 'CaseOpened')
    .toReversed()
    .flatMap(({ args, timestamp, blockNumber }) => {
      const task = tasks.find(({ number }) => number === args.taskId)
      const isPoster = task !== undefined && isWallet(task.poster, wallet)
      if (!task?.dispute || (!isPoster && !isWallet(task.dispute.worker, wallet))) return []
      const own = events.filter((each) => each.args.taskId === args.taskId && each.blockNumber >= blockNumber)
      const closed = own.find(({ event }) => event === 'CaseClosed')
      const recorded = own.find(({ event }) => event === 'DisputeRecorded')
      return [
        {
          taskId: `v2:${market}:${args.taskId}`,
          round: Number(args.number),
          role: isPoster ? 'poster' : 'worker',
          openedByWallet: args.opener === wallet,
          ending: endings[closed ? Number(closed.args.ending) : 0],
          outcome: recorded?.args.winner === wallet ? 'won' : recorded?.args.loser === wallet ? 'lost' : null,
          workerBps: closed ? Number(closed.args.workerBps) : null,
          openedAt: timestamp,
          closedAt: closed?.timestamp ?? null,
        },
      ]
    })
}
