import type { Address } from 'viem'
import * as z from 'zod/mini'
import type { Standing } from './standing.ts'

/** The contracts that wallets call, by the names of the site config. */
export const actionContracts = [
  'tokToken',
  'usdc',
  'taskRegistry',
  'depositVault',
  'escrowVault',
  'paymentGateway',
  'stakingVault',
  'arbitration',
] as const

export type ActionContract = (typeof actionContracts)[number]
/** Where one market's contracts stand. */
export type ActionContracts = Readonly<Record<ActionContract, Address>>

/** The clocks that actions start: see `clocks`. */
export type Clock =
  | 'claim'
  | 'funding'
  | 'milestone'
  | 'review'
  | 'consent'
  | 'seat'
  | 'evidence'
  | 'appeal'
  | 'unbond'
  | 'plan'

/** What leaves the caller's wallet through an allowance, besides an access fee. TOK always goes through the payment gateway. */
export interface Payment {
  tokWei?: bigint
  usdc?: { amount: bigint; spender: 'depositVault' | 'paymentGateway' }
}

type InputSchema = z.ZodMiniObject<Readonly<Record<string, z.ZodMiniType>>>

/** One write action: everything the command line, the site, the tools and the docs need to know of it. */
export interface Action<schema extends InputSchema = InputSchema> {
  /** The name on the wire, and of its file. */
  name: string
  /** What it does, in one sentence to the one who would do it. */
  summary: string
  /** Its operation in the lifecycle or in the dispute table, which say who may do it, when, and what it moves. */
  operation?: { task: string } | { dispute: string }
  /** Whose fee, reserve and penalties of the operation the caller pays. */
  as?: 'poster' | 'worker' | ((input: z.output<schema>, from: Address) => 'poster' | 'worker' | null)
  /** The input: JSON outside, exact values inside. */
  input: schema
  contract: ActionContract
  /**
   * The functions it may call; the first whose arguments are all given is called. A parameter carries the name of the
   * input it takes, or of the contract whose address it is.
   */
  functions: readonly string[]
  pays?: (input: z.output<schema>) => Payment
  /** The part of the input that the task itself answers. */
  known?: (standing: Standing, wallet: Address) => Partial<z.output<schema>>
  /** Parts of the input that this task asks for although they are optional. */
  needs?: (standing: Standing) => string[]
  /** The clock that starts, where the operation gets that far. */
  clock?: Clock
  /** Events of the contract, one of which proves that the action happened. */
  proof: readonly string[]
}

/** An action of which only the common part is known. */
// biome-ignore lint/suspicious/noExplicitAny: inputs differ by action, and a list of actions holds all of them.
export type AnyAction = Action<any>

/** Reads an action's input from JSON into exact values. Throws zod's error for anything else. */
export function readInput(action: AnyAction, json: unknown): Record<string, unknown> {
  return z.decode(action.input, json) as Record<string, unknown>
}

/** Writes an action's input as JSON. */
export function writeInput(action: AnyAction, input: Record<string, unknown>): Record<string, unknown> {
  return z.encode(action.input, input) as Record<string, unknown>
}

/** Writes one value of an action's input as JSON. */
export function writeField(action: AnyAction, name: string, value: unknown): unknown {
  const schema = (action.input.shape as Record<string, z.ZodMiniType>)[name]
  if (!schema) throw new TypeError(`${action.name} has no ${name}.`)
  return z.encode(schema, value)
}

/** Checks the types of a row; it is the row. */
export function defineAction<schema extends InputSchema>(action: Action<schema>): Action<schema> {
  return action
}
