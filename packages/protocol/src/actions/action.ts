import type { Address } from 'viem'
import * as z from 'zod/mini'
import type { SwapPlace } from '../base/chains.ts'
import { explainIssue } from '../base/explainIssue.ts'
import type { TaskContext } from '../tasks/taskContext.ts'

/** The contracts that wallets call, under the names of the site config. */
export const actionContracts = [
  'tokToken',
  'usdc',
  'taskRegistry',
  'depositVault',
  'escrowVault',
  'paymentGateway',
  'stakingVault',
  'arbitration',
  'swapRouter',
] as const

export type ActionContract = (typeof actionContracts)[number]

/** The addresses of one market's contracts. */
export type ActionContracts = Readonly<Record<Exclude<ActionContract, 'swapRouter'>, Address>> & {
  /** Missing if the deployment has no pool: TOK is then neither bought nor sold. */
  readonly swap?: SwapPlace
}

/** Finds the address of a contract. Undefined for the router of a deployment without a pool. */
export const findContract = (contracts: ActionContracts, name: ActionContract): Address | undefined =>
  name === 'swapRouter' ? contracts.swap?.router : contracts[name]

/** Returns the address of a contract. Throws a `TypeError` for the router of a deployment without a pool. */
export function getContract(contracts: ActionContracts, name: ActionContract): Address {
  const address = findContract(contracts, name)
  if (!address) throw new TypeError('This deployment has no pool to swap in.')
  return address
}

/** The deadlines that actions start: see `deadlines`. */
export type DeadlineKind =
  | 'claim'
  | 'funding'
  | 'milestone'
  | 'review'
  | 'consent'
  | 'ruling'
  | 'appeal'
  | 'court'
  | 'unbond'
  | 'plan'

/** The contracts that take money through an allowance. */
export const spenders = ['depositVault', 'paymentGateway', 'swapRouter'] as const
export type Spender = (typeof spenders)[number]

/** What leaves the caller's wallet through an allowance, besides the access fee. TOK goes through the payment gateway, unless it is sold. */
interface Payment {
  tokWei?: bigint
  usdc?: { amount: bigint; spender: Spender }
}

/** The schema of an action's input. */
export type InputSchema = z.ZodMiniObject<Readonly<Record<string, z.ZodMiniType>>>

/**
 * One write action: everything that the command line, the site, the tools and the docs know about it. Callbacks are
 * methods, so that an `Action<'stake', …>` is also an `Action` and loops over the table need no cast.
 */
export interface Action<
  Name extends string = string,
  Input extends InputSchema = InputSchema,
  Derived extends string = string,
> {
  /** The name on the wire and in the table. */
  name: Name
  /** The label of its button, without a task or an amount: "Submit work". */
  verb: string
  /** Its heading: "Submit your work". */
  title: string
  /** What happened once it is on chain, for history and notices: "Submitted the work". */
  done: string
  /** What it does, in one sentence. */
  explain: string
  /** Its operation in the lifecycle or the dispute table, which say who may call it, when, and what it moves. */
  operation?: { task: string } | { dispute: string }
  /** The party whose fee, reserve and penalties the caller pays. */
  side?: 'poster' | 'worker'
  /** The same, where the input decides. */
  sideFor?(input: z.output<Input>, from: Address): 'poster' | 'worker' | null
  /** The input: JSON outside, exact values inside. */
  input: Input
  contract: ActionContract
  /**
   * The functions it may call; the first whose arguments are all present is called. A parameter has the name of the input
   * it takes, or of the contract whose address it is.
   */
  functions: readonly string[]
  /** The function that also takes a signed allowance for what the action pays, so that one transaction is enough. */
  withPermit?: string
  /** Which way it swaps. Such a call goes to the router of the pool: see `swap.ts`. */
  swap?: 'buy' | 'sell'
  pays?(input: z.output<Input>): Payment
  /** The fields of the input that follow from the task, each with how to derive it; undefined if this wallet must choose. */
  derive?: {
    [K in Derived]: (
      context: TaskContext,
      wallet: Address,
    ) => K extends keyof z.output<Input> ? z.output<Input>[K] | undefined : never
  }
  /** Optional fields of the input that this task requires of a wallet. */
  required?(context: TaskContext, wallet: Address): string[]
  /** The deadline that starts, where the operation gets that far. */
  deadline?: DeadlineKind
  /** The contract that emits them, if it is not the one that is called: the router of a pool emits nothing. */
  proofOf?: ActionContract
  /** Events of the contract; any one of them proves that the action happened. */
  proof: readonly string[]
}

/** An action of which only the common part is known. */
export type AnyAction = Action

/**
 * Parses an action's input from JSON. Throws a `ZodError` if it does not match.
 *
 * @example
 * ```ts
 * const { amountTokWei } = parseActionInput(actions.stake, { market: 'micro', amountTokWei: '5' }) // 5n
 * ```
 */
export function parseActionInput<Input extends InputSchema>(
  action: Action<string, Input>,
  json: unknown,
): z.output<Input> {
  return z.parse(action.input, json, { error: explainIssue })
}

/**
 * Encodes an action's input as JSON.
 *
 * @example
 * ```ts
 * encodeActionInput(actions.stake, { market: 'micro', amountTokWei: 5n }) // { market: 'micro', amountTokWei: '5' }
 * ```
 */
export function encodeActionInput<Input extends InputSchema>(
  action: Action<string, Input>,
  input: z.output<Input>,
): z.input<Input> {
  return z.encode(action.input, input)
}

/** Encodes one field of an action's input as JSON. */
export function encodeActionField(action: AnyAction, name: string, value: unknown): unknown {
  const schema = action.input.shape[name]
  if (!schema) throw new TypeError(`${action.name} has no field ${name}.`)
  return z.encode(schema, value)
}

/** Derives the fields of an action's input that follow from the task, as exact values. */
export function deriveInput(action: AnyAction, context: TaskContext, wallet: Address): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(action.derive ?? {})
      .map(([name, derive]) => [name, derive(context, wallet)])
      .filter(([, value]) => value !== undefined),
  )
}

/** Lists the fields of an action's input, and whether they may be left out. */
export function listInputFields({ input }: AnyAction): { name: string; isOptional: boolean }[] {
  return Object.entries(input.shape).map(([name, schema]) => ({ name, isOptional: schema._zod.optin === 'optional' }))
}

/** Identity function for type inference. */
export function defineAction<const Name extends string, Input extends InputSchema, Derived extends string = never>(
  action: Action<Name, Input, Derived>,
): Action<Name, Input, Derived> {
  return action
}
