import type { Hex } from 'viem'
import type { arbitrationAbi } from '../abis/arbitration.ts'
import type { depositVaultAbi } from '../abis/depositVault.ts'
import type { escrowVaultAbi } from '../abis/escrowVault.ts'
import type { paymentGatewayAbi } from '../abis/paymentGateway.ts'
import type { pricingPolicyAbi } from '../abis/pricingPolicy.ts'
import type { reputationRegistryAbi } from '../abis/reputationRegistry.ts'
import type { stakingVaultAbi } from '../abis/stakingVault.ts'
import type { taskLensAbi } from '../abis/taskLens.ts'
import type { taskRegistryAbi } from '../abis/taskRegistry.ts'
import type { taskScopeRegistryAbi } from '../abis/taskScopeRegistry.ts'
import type { tokTokenAbi } from '../abis/tokToken.ts'
import type { usdOracleAbi } from '../abis/usdOracle.ts'
import type { Market } from '../market.ts'
import type { Token } from '../units.ts'

/** What a caller may know that an error does not say. */
export interface ErrorContext {
  /** The market that was called: tasks are then named by their id, and limits by their figures. */
  market?: Market | undefined
  /** The token that the call moves. */
  token?: Token | undefined
}

/** `uint256 taskId, address caller`. */
type List<Inputs> = Inputs extends readonly [infer First extends Input, ...infer Rest]
  ? `${First['type']} ${First['name']}${Rest extends readonly [] ? '' : ', '}${List<Rest>}`
  : ''

type Input = { type: string; name: string }

/** The signatures of the errors among the entries of an ABI. */
type Signatures<Entry> = Entry extends { type: 'error'; name: infer Name extends string; inputs: infer Inputs }
  ? `${Name}(${List<Inputs>})`
  : never

/** Every error that the contracts can answer; the last two without declaring them. */
type Signature =
  | Signatures<(typeof arbitrationAbi)[number]>
  | Signatures<(typeof depositVaultAbi)[number]>
  | Signatures<(typeof escrowVaultAbi)[number]>
  | Signatures<(typeof paymentGatewayAbi)[number]>
  | Signatures<(typeof pricingPolicyAbi)[number]>
  | Signatures<(typeof reputationRegistryAbi)[number]>
  | Signatures<(typeof stakingVaultAbi)[number]>
  | Signatures<(typeof taskLensAbi)[number]>
  | Signatures<(typeof taskRegistryAbi)[number]>
  | Signatures<(typeof taskScopeRegistryAbi)[number]>
  | Signatures<(typeof tokTokenAbi)[number]>
  | Signatures<(typeof usdOracleAbi)[number]>
  | 'Error(string reason)'
  | 'Panic(uint256 code)'

/** What viem makes of the types that errors use. */
type Value<T extends string> = T extends 'uint8' | 'uint16'
  ? number
  : T extends `${'u' | ''}int256`
    ? bigint
    : T extends 'string'
      ? string
      : Hex

/** The arguments by name; the task is named already. */
type Args<Inputs extends string> = Inputs extends `${infer Type} ${infer Name}, ${infer Rest}`
  ? { [N in Name]: N extends 'taskId' ? string : Value<Type> } & Args<Rest>
  : Inputs extends `${infer Type} ${infer Name}`
    ? { [N in Name]: N extends 'taskId' ? string : Value<Type> }
    : unknown

type Sentence<A> = string | ((args: A, context: ErrorContext) => string)

type WordsOf<S> = S extends `${string}(${infer Inputs})`
  ? readonly [wrong: Sentence<Args<Inputs>>, wayOut: Sentence<Args<Inputs>>]
  : never

/** Two sentences for every error: what is wrong, and what to do now. Keyed by the error's signature. */
export type Words = { [S in Signature]: WordsOf<S> }
