import type { OutputJson } from '@svc/operations'
import type { TaskPhase } from '@svc/protocol'

export type Step = OutputJson<'listSteps'>['steps'][number]

/** The steps of a wallet as the page offers them. */
export interface ArrangedSteps {
  primary: Step | null
  /** At most two. */
  secondary: readonly Step[]
  more: readonly Step[]
  /** The primary step is a duty of this wallet: if it waits, it loses something. */
  isTurn: boolean
}

/** The step that moves a task on in each phase, the most fitting first. */
const primary: Readonly<Record<TaskPhase, readonly string[]>> = {
  OPEN_FOR_CLAIM: ['claim-task', 'fund-task'],
  CLAIM_CLOSED: ['expire-task'],
  AWAITING_FUNDS: ['fund-task'],
  READY_TO_START: ['start-work'],
  CLAIM_LAPSED: ['expire-task'],
  WORKING: ['submit-proof'],
  UNDER_NOTICE: ['submit-proof'],
  IN_REVIEW: ['accept-milestone', 'submit-proof'],
  REVIEW_LAPSED: ['accept-milestone', 'release-lapsed'],
  RECEIPT_MISSING: ['submit-proof', 'accept-milestone', 'expire-task'],
  OVERDUE: ['expire-task'],
  IN_DISPUTE: [
    'resolve-dispute',
    'decide-dispute',
    'finalize-dispute',
    'escalate',
    'submit-evidence',
    'propose-arbitrator',
    'resolve-timed-out',
  ],
  SETTLED: [],
}

/** The steps that deserve a button beside it. Everything else is in the menu. */
const secondary: Readonly<Record<TaskPhase, readonly string[]>> = {
  OPEN_FOR_CLAIM: ['fund-task', 'cancel-task'],
  CLAIM_CLOSED: ['cancel-task'],
  AWAITING_FUNDS: ['dismiss-worker', 'leave-task'],
  READY_TO_START: ['dismiss-worker', 'leave-task'],
  CLAIM_LAPSED: [],
  WORKING: [],
  UNDER_NOTICE: ['expire-task', 'accept-milestone'],
  IN_REVIEW: ['request-revision', 'open-dispute'],
  REVIEW_LAPSED: [],
  RECEIPT_MISSING: ['open-dispute'],
  OVERDUE: ['accept-milestone'],
  IN_DISPUTE: ['propose-arbitrator', 'submit-evidence', 'accept-milestone', 'step-down'],
  SETTLED: [],
}

const duties: Readonly<Partial<Record<TaskPhase, readonly string[]>>> = {
  AWAITING_FUNDS: ['fund-task'],
  READY_TO_START: ['start-work'],
  WORKING: ['submit-proof'],
  IN_REVIEW: ['accept-milestone'],
  RECEIPT_MISSING: ['submit-proof'],
  IN_DISPUTE: ['resolve-dispute', 'decide-dispute', 'escalate', 'submit-evidence'],
}

const isSpeech = (action: string): boolean => action === 'submit-evidence'

/** Whether an action is one that moves a task on in this phase. */
export const isMainAction = (phase: TaskPhase, action: string): boolean => primary[phase].includes(action)

/**
 * Chooses which of the possible steps is the button, which stand beside it, and which are in the menu. Whoever has already given
 * evidence may add to it, but does not have to.
 */
export function arrangeSteps(steps: readonly Step[], phase: TaskPhase, hasSpoken = false): ArrangedSteps {
  const find = (names: readonly string[]) => names.flatMap((name) => steps.find(({ action }) => action === name) ?? [])
  // Whoever has spoken looks for a judge first.
  const ranked = primary[phase].toSorted((a, b) => Number(isSpeech(a) && hasSpoken) - Number(isSpeech(b) && hasSpoken))
  const first = find(ranked)[0] ?? null
  const beside = find(secondary[phase])
    .filter((step) => step !== first)
    .slice(0, 2)
  return {
    primary: first,
    secondary: beside,
    more: steps.filter((step) => step !== first && !beside.includes(step)),
    isTurn:
      first !== null && (duties[phase]?.includes(first.action) ?? false) && !(hasSpoken && isSpeech(first.action)),
  }
}
