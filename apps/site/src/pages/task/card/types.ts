import type { TaskDetailJson } from '@svc/client'
import type { OutputJson } from '@svc/operations'
import type { Missing } from '../../../wallet/missing.ts'
import type { Progress } from '../progress.ts'
import type { Viewer } from '../viewer.ts'

export type Step = OutputJson<'listSteps'>['steps'][number]
export type BlockedEntry = OutputJson<'listSteps'>['blocked'][number]
export type CardTab = 'brief' | 'work' | 'talk' | 'dispute'

/** What a button of the card does. A step opens its receipt, or its form on the page. */
export type CardAct =
  | { do: 'step'; label: string; step: Step }
  /** Claims with the permit of the conversation. */
  | { do: 'accept'; label: string }
  /** Claims, with what is missing of the deposit in the same receipt. */
  | { do: 'claim'; label: string }
  | { do: 'open'; label: string; tab: CardTab }
  | { do: 'link'; label: string; href: string }
  | { do: 'connect'; label: string; title: string }
  | { do: 'addMoney'; label: string; missing: Missing }
  /** Turns TOK that was earned into USDC. */
  | { do: 'sell'; label: string; amountTokWei: bigint }
  | { do: 'share'; label: string }

/** How much time is left and what happens then. */
export interface CardClock {
  title: string
  note?: string | undefined
  /** Unix seconds. */
  to: number | null
}

/** One row of the table of cards: where the task stands for whoever looks at it, and the one thing to do. */
export interface Card {
  state: CardState
  label: string
  /** TOK wei. Null: the label says it all. */
  amount: bigint | null
  step: Progress
  /** It is the wallet's turn: if it waits, it loses something. */
  isMine: boolean
  sentence: string
  clock: CardClock | null
  button: CardAct | null
  secondary: readonly CardAct[]
  menu: readonly CardAct[]
}

/** What a row says. The rest follows from the task. */
export type CardRow = Pick<Card, 'state' | 'sentence'> &
  Partial<Pick<Card, 'label' | 'amount' | 'isMine' | 'clock' | 'button' | 'secondary'>>

/** Every row, by name. A test reaches each. */
export const cardStates = [
  'stranger',
  'strangerApply',
  'noMoney',
  'open',
  'notApplied',
  'applied',
  'chosen',
  'notChosen',
  'waiting',
  'canStart',
  'working',
  'notice',
  'changes',
  'inReview',
  'noReceipt',
  'nextMilestone',
  'missed',
  'paid',
  'evidence',
  'withJudge',
  'judgeProposed',
  'waitingJudge',
  'noJudge',
  'findJudge',
  'ruledAgainst',
  'ruledFor',
  'posterNobody',
  'posterApplicants',
  'posterClosed',
  'posterNotLocked',
  'posterStart',
  'posterWorking',
  'posterReview',
  'posterOverdue',
  'posterPaid',
  'posterNotice',
  'posterNoReceipt',
  'judgeAsked',
  'judge',
  'judgeReads',
  'court',
  'due',
  'running',
  'ended',
] as const
export type CardState = (typeof cardStates)[number]

/** What the talk of the wallet about this task says. */
export interface CardTalk {
  /** People who applied and were neither chosen nor declined. */
  applicants: number
  hasApplied: boolean
  /** Until when the poster's choice of this wallet counts, in unix seconds; null if there is none. */
  chosenUntil: number | null
}

export interface CardFacts {
  task: TaskDetailJson
  wallet: string | undefined
  viewer: Viewer
  steps: readonly Step[]
  blocked: readonly BlockedEntry[]
  /** Null until it is known. */
  talk: CardTalk | null
  /** Who cannot open what this wallet sent. */
  isUnread?: boolean
  names: Readonly<Record<'poster' | 'worker' | 'judge', string>>
  /** Whether TOK that is missing can be bought with USDC, and earned TOK sold. */
  canSwap: boolean
  /** What the wallet has not got to claim with; null if nothing, or not known yet. */
  missing: Missing | null
  /** Unix seconds. */
  now: number
  /** TOK wei as people read it: dollars if there is a price. */
  money: (tokWei: bigint) => string
  at: (moment: number) => string
  span: (seconds: number) => string
}
