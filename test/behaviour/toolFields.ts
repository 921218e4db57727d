// The forms that answers of tools share.
import { formatDuration } from '@svc/protocol'
import type { Call, JsonObject } from './call.ts'
import { assertRefusal } from './checks/refusal.ts'
import { findPhase, formatMoney, formatShortMoney, formatUtcTime, isClaimable, readText } from './expected.ts'
import { findAgent, type MarketFacts, type TaskFact } from './facts.ts'
import type { BehaviourWorld } from './world.ts'

/** `meta` of a tool: the block that the answer is true at. */
export function describeToolMeta({ facts: { block } }: BehaviourWorld) {
  return { block: { number: Number(block.number), timestamp: block.timestamp } }
}

/** An amount in two fields, exact and for people. */
export const inTok = (name: string, amount: bigint) => ({
  [`${name}TokWei`]: amount,
  [name]: formatMoney(amount, 'TOK'),
})

/** A time in two fields, exact and for people. */
export const inTime = (name: string, seconds: number | null) => ({
  [name]: seconds,
  [`${name}Utc`]: seconds && formatUtcTime(seconds),
})

/** A task of a list. */
export function describeToolRow(world: BehaviourWorld, of: MarketFacts, task: TaskFact) {
  const isPosted = task.state === 'POSTED'
  const until = isClaimable(world, of, task) ? task.claimableUntil : null
  const title = readText(task)?.title
  return {
    id: task.id,
    state: task.state,
    phase: findPhase(world, of, task),
    ...inTok('totalAmount', task.total),
    ...inTok('funded', task.funded),
    ...inTok('released', task.released),
    poster: task.poster,
    ...(task.worker && { worker: task.worker, settlementDigest: task.settlementDigest }),
    claimPolicy: task.claimPolicy,
    milestoneCount: task.milestones.length,
    ...(isPosted && { claimableUntil: until, claimableUntilUtc: until && formatUtcTime(until) }),
    ...(title !== undefined && { untrustedTitle: title }),
    ...(isPosted && describeOffer(of, task)),
  }
}

/** What a worker decides by. */
function describeOffer(of: MarketFacts, task: TaskFact) {
  const seconds = task.milestones.reduce((sum, { duration }) => sum + BigInt(duration), 0n)
  const net = task.total - 1_000n * 10n ** 18n
  const perHour = (net * 3_600n) / seconds
  const { score, completedAsPoster, disputesLost, lapses } = findAgent(of, task.poster)
  const text = readText(task)
  return {
    netPay: formatMoney(net, 'TOK'),
    netPayPerHour: formatShortMoney(perHour, 'TOK'),
    duration: formatDuration(seconds),
    posterRecord: { score, completed: completedAsPoster, disputesLost, lapses },
    ...(text && { untrustedTags: text.tags ?? [] }),
  }
}

/** Expects a tool to refuse an input. */
export async function assertRefused(call: Call, to: string, input: JsonObject, code: string): Promise<void> {
  assertRefusal(await call({ to, input }), 400, code)
}

/** The text of a task in fields of its own; empty for a private one. */
export function describeUntrustedText(task: TaskFact) {
  const text = readText(task)
  return (
    text && {
      untrustedTitle: text.title,
      untrustedCriteria: text.criteria,
      untrustedMilestones: text.milestones,
      removedCharacters: 0,
    }
  )
}
