import type { TaskDetailJson } from '@svc/client'
import { computeSettlementDigest, parseTaskTerms } from '@svc/protocol'
import { actions } from '@svc/protocol/actions'
import type { OpenedAction } from '../../actions/openedAction.ts'
import { getSigningContext } from '../../deployments.ts'
import { taskText } from '../../text/task.ts'
import type { Step } from './card/types.ts'
import { findViewer } from './viewer.ts'

/** What the form of a step knows already. */
export function describeStep(
  { action, title, derived, required }: Step,
  task: TaskDetailJson,
  wallet: `0x${string}`,
): Omit<OpenedAction, 'openedAt'> {
  const known = action === 'claim-task' ? { ...derived, settlementDigest: computeDigest(task, wallet) } : derived
  const isEnd = action === 'dismiss-worker' && task.phase === 'WORKING'
  const opened = {
    name: action,
    title: isEnd ? taskText.buttons.endWork : title,
    required,
    offered: task.store ? ['receipt'] : [],
  }
  // A party may agree to the judge whom the other side proposes, or propose another one.
  if (action === 'propose-arbitrator' && findViewer(task, wallet) !== 'visitor') {
    const { arbitrator, ...rest } = derived
    return { ...opened, known: rest, start: arbitrator ? { arbitrator: String(arbitrator) } : {} }
  }
  return { ...opened, known }
}

/** Claims a task whose only obstacle is the deposit. The receipt puts the top-up first. */
export function describeOwnClaim(task: TaskDetailJson, wallet: `0x${string}`): Omit<OpenedAction, 'openedAt'> {
  const { name, title } = actions['claim-task']
  return { name, title, known: { taskId: task.id, settlementDigest: computeDigest(task, wallet) } }
}

/** Turns TOK that was earned into USDC. */
export function describeSale({ market }: TaskDetailJson, amountTokWei: bigint): Omit<OpenedAction, 'openedAt'> {
  const { name, title } = actions['sell-tok']
  return { name, title, known: { market, amountTokWei: String(amountTokWei) } }
}

/** Computed from the terms on this page, so that the user claims exactly what they saw. */
const computeDigest = (task: TaskDetailJson, wallet: `0x${string}`): string =>
  computeSettlementDigest(getSigningContext(task.market), parseTaskTerms(task.terms), wallet)
