import type { TaskDetailJson } from '@svc/client'
import { parseAmount } from '@svc/protocol'
import { taskText } from '../../text/task.ts'
import type { Step } from './card/types.ts'
import type { Viewer } from './viewer.ts'

const labels = taskText.buttons

/** Names a step for its button: a verb, and the amount that it moves. */
export function labelStep(
  { action, verb, derived, costs }: Pick<Step, 'action' | 'verb' | 'derived' | 'costs'>,
  task: Pick<
    TaskDetailJson,
    | 'phase'
    | 'milestones'
    | 'currentMilestone'
    | 'totalAmountTokWei'
    | 'fundedTokWei'
    | 'releasedTokWei'
    | 'refundedTokWei'
  >,
  viewer: Viewer,
  formatTok: (wei: bigint) => string,
): string {
  const milestone = formatTok(BigInt(task.milestones[task.currentMilestone]?.amountTokWei ?? 0))
  const isDelivered = task.phase === 'IN_REVIEW' || task.phase === 'REVIEW_LAPSED' || task.phase === 'RECEIPT_MISSING'
  switch (action) {
    case 'accept-milestone':
      if (task.phase === 'IN_DISPUTE') return labels.giveIn(milestone)
      return isDelivered ? labels.approve(milestone) : labels.approveEarly(milestone)
    case 'complete-task':
      return labels.approveAll(
        formatTok(BigInt(task.fundedTokWei) - BigInt(task.releasedTokWei) - BigInt(task.refundedTokWei)),
      )
    case 'claim-task':
      return labels.claim(formatTok(computeNetPay(task, costs)))
    case 'fund-task':
      return labels.fund(formatTok(BigInt(String(derived.amountTokWei ?? 0))))
    case 'submit-proof':
      return isDelivered ? labels.deliverAgain(task.currentMilestone + 1) : labels.deliver(task.currentMilestone + 1)
    case 'release-lapsed':
      return labels.release(milestone)
    case 'propose-arbitrator':
      if (viewer !== 'poster' && viewer !== 'worker') return labels.acceptCase
      return derived.arbitrator ? labels.agreeJudge : labels.proposeJudge
    case 'dismiss-worker':
      return task.phase === 'WORKING' ? labels.endWork : verb
    case 'expire-task':
      return task.phase === 'UNDER_NOTICE' ? labels.closeNotice : verb
    case 'escalate':
      return labels.appeal
    default:
      return verb
  }
}

/** What a worker keeps: the pay less the access fee, which an Action Credit can pay. */
function computeNetPay({ totalAmountTokWei }: Pick<TaskDetailJson, 'totalAmountTokWei'>, costs: Step['costs']): bigint {
  const fee = costs.find(({ what }) => what === 'Access fee')?.amount
  return BigInt(totalAmountTokWei) - (fee?.endsWith(' TOK') ? parseAmount(fee, 'tok') : 0n)
}
