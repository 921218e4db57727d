import { accessFee, entryDeposit, exitDeposit, openerStakeBps, taskReserve } from '../money/amounts.ts'
import { formatAmount } from '../money/units.ts'
import { lifecycle, onEnter, type Transition } from '../tasks/lifecycle.ts'
import { type TaskScope, type TaskState, taskScopes } from '../tasks/states.ts'
import { computeRowCost, type Side } from './cost.ts'
import { type ActionName, actionList, isActionName } from './index.ts'

/** What one way into, through or out of a task does to the money of one side. */
export interface Price extends PriceAmounts {
  action: ActionName
  /** Whose money it is: that of the caller, of the other party, or of the side that missed its duty. */
  side: Side
  from: TaskState
  /** The condition that chooses it among those with the same action and state. */
  when: Transition['when'] | null
  /** The scope of the task, where open and private tasks differ. */
  scope: TaskScope | null
}

/** TOK in wei, USDC in its units. */
export interface PriceAmounts {
  /** Deposit that must be free. It is not taken. */
  requiredUsdc: bigint
  /** Spent, unless a whole Action Credit pays it. */
  feeTokWei: bigint
  /** Locked from the wallet. */
  exitDepositTokWei: bigint
  /** Locked from the wallet, in basis points of the milestone. */
  stakeBps: bigint
  /** Reserved from the deposit. */
  reserveUsdc: bigint
  /** Lost of what was locked. */
  lostTokWei: bigint
  /** Lost of the deposit. */
  penaltyUsdc: bigint
  /** Unlocked: back in the wallet. */
  returnedTokWei: bigint
  /** No longer reserved. */
  returnedUsdc: bigint
}

const sides = ['poster', 'worker'] as const

/**
 * Lists what every way into, through and out of a task takes, locks, costs and returns, from the lifecycle table. What depends on
 * the task is not in it: its budget, and what a dispute decides. A way that moves nothing of a side has no row.
 *
 * @example
 * ```ts
 * const claim = listPrices().find(({ action, side }) => action === 'claim-task' && side === 'worker')
 * ```
 */
export function listPrices(): Price[] {
  return lifecycle.flatMap((row) => {
    const action = findTaskAction(row.operation)
    // What a dispute costs depends on the ruling.
    if (!action || row.from === 'DISPUTED') return []
    const scopes = typeof row.to === 'string' ? [null] : taskScopes
    const { from, when = null } = row
    return scopes
      .flatMap((scope) =>
        sides.map(
          (side): Price => ({ action, side, from, when, scope, ...computeAmounts(row, side, scope ?? 'OPEN') }),
        ),
      )
      .filter((price) => amountNames.some((name) => price[name] > 0n))
  })
}

/**
 * Returns the price of an entry: the first row of an action for a side. Throws a `RangeError` if it moves nothing.
 *
 * @example
 * ```ts
 * getPrice('claim-task', 'worker').exitDepositTokWei
 * ```
 */
export function getPrice(action: ActionName, side: Side): Price {
  const price = listPrices().find((each) => each.action === action && each.side === side)
  if (!price) throw new RangeError(`${action} moves no money of the ${side}.`)
  return price
}

/**
 * Describes the amounts of a price in short sentences, for the side that it is about.
 *
 * @example
 * ```ts
 * describePrice(claim) // ['Costs 1,000 TOK or one Action Credit.', 'Locks 1,000 TOK and 13.00 USDC of your deposit.', …]
 * ```
 */
export function describePrice(price: PriceAmounts): string[] {
  const tok = (amount: bigint, what = '') => (amount > 0n ? [`${formatAmount(amount, 'tok')}${what}`] : [])
  const usdc = (amount: bigint) => (amount > 0n ? [`${formatAmount(amount, 'usdc')} of your deposit`] : [])
  const stake = price.stakeBps > 0n ? [`${Number(price.stakeBps) / 100} % of the milestone`] : []
  const sentence = (verb: string, items: readonly string[]) =>
    items.length > 0 ? [`${verb} ${joinItems(items)}.`] : []
  return [
    ...sentence('Costs', [
      ...tok(price.feeTokWei, ' or one Action Credit'),
      ...tok(price.lostTokWei, ' of what you locked'),
      ...usdc(price.penaltyUsdc),
    ]),
    ...sentence('Locks', [...tok(price.exitDepositTokWei), ...stake, ...usdc(price.reserveUsdc)]),
    ...sentence('Returns', [...tok(price.returnedTokWei), ...usdc(price.returnedUsdc)]),
    ...(price.requiredUsdc > 0n ? [`Needs ${formatAmount(price.requiredUsdc, 'usdc')} that no task reserves.`] : []),
  ]
}

/**
 * Describes every price of an action, one line for each side and condition. Empty if it moves no money that the lifecycle decides.
 *
 * @example
 * ```ts
 * describeActionPrices('cancel-task') // ['Poster: Returns 1,000 TOK and 13.00 USDC of your deposit.']
 * ```
 */
export function describeActionPrices(name: string): string[] {
  const lines = listPrices()
    .filter(({ action }) => action === name)
    .map((price) => `${formatPriceCondition(price)}: ${describePrice(price).join(' ')}`)
  return [...new Set(lines)]
}

/** Formats whose money a price is about, and when it applies. */
export function formatPriceCondition({
  side,
  from,
  when,
  scope,
}: Pick<Price, 'side' | 'from' | 'when' | 'scope'>): string {
  const whose = side === 'poster' ? 'Poster' : 'Worker'
  const condition = when ?? (from === 'ACTIVE' && 'work under way')
  return [whose, condition, scope && `${scope.toLowerCase()} task`].filter((part) => part).join(', ')
}

const amountNames = [
  'requiredUsdc',
  'feeTokWei',
  'exitDepositTokWei',
  'stakeBps',
  'reserveUsdc',
  'lostTokWei',
  'penaltyUsdc',
  'returnedTokWei',
  'returnedUsdc',
] as const satisfies readonly (keyof PriceAmounts)[]

function findTaskAction(name: string): ActionName | undefined {
  const action = actionList.find(({ operation }) => operation && 'task' in operation && operation.task === name)
  return action && isActionName(action.name) ? action.name : undefined
}

function computeAmounts(row: Transition, side: Side, scope: TaskScope): PriceAmounts {
  const isEntry = row.from === 'NONE'
  const cost = computeRowCost(row, side, { amount: 0n, scope, posterReserve: isEntry ? 0n : taskReserve })
  const to = typeof row.to === 'string' ? row.to : row.to[scope]
  const isParty = !isEntry && (side === 'poster' || row.from !== 'POSTED')
  const isReleased = isParty && onEnter[to]?.includes(side === 'poster' ? 'release poster' : 'release worker') === true
  // The notice has spent the poster's exit deposit.
  const isSpent = side === 'poster' && row.when === 'nothing is in review, under notice'
  return {
    requiredUsdc: row.guards.includes(`${side}EntryDeposit`) ? entryDeposit : 0n,
    feeTokWei: cost.fee ? accessFee : 0n,
    exitDepositTokWei: cost.exitDepositTokWei,
    stakeBps: side === 'poster' && row.guards.includes('openerStake') ? openerStakeBps : 0n,
    reserveUsdc: cost.reserveUsdc,
    lostTokWei: cost.lostTokWei,
    penaltyUsdc: cost.penaltyUsdc,
    returnedTokWei: isReleased && !isSpent ? exitDeposit - cost.lostTokWei : 0n,
    returnedUsdc: isReleased ? taskReserve - cost.penaltyUsdc : 0n,
  }
}

function joinItems(items: readonly string[]): string {
  return items.length < 2 ? items.join() : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`
}
