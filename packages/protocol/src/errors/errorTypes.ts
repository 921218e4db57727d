import type { Address, Hex } from 'viem'
import type { agreementsAbi } from '../abis/agreements.ts'
import type { arbitrationAbi } from '../abis/arbitration.ts'
import type { depositVaultAbi } from '../abis/depositVault.ts'
import type { escrowVaultAbi } from '../abis/escrowVault.ts'
import type { paymentGatewayAbi } from '../abis/paymentGateway.ts'
import type { pricingPolicyAbi } from '../abis/pricingPolicy.ts'
import type { realityCourtAbi } from '../abis/realityCourt.ts'
import type { reputationRegistryAbi } from '../abis/reputationRegistry.ts'
import type { stakingVaultAbi } from '../abis/stakingVault.ts'
import type { suiteFactoryAbi } from '../abis/suiteFactory.ts'
import type { taskLensAbi } from '../abis/taskLens.ts'
import type { taskRegistryAbi } from '../abis/taskRegistry.ts'
import type { taskScopeRegistryAbi } from '../abis/taskScopeRegistry.ts'
import type { tokTokenAbi } from '../abis/tokToken.ts'
import type { usdOracleAbi } from '../abis/usdOracle.ts'
import type { Market } from '../base/market.ts'
import type { Token } from '../money/units.ts'

/** What the caller knows and the error does not contain. */
export interface ErrorContext {
  /** The market that was called. With it, messages contain full task ids and the limits of the market. */
  market?: Market | undefined
  /** The token that the call transfers. Without it, amounts of an unknown token are left out. */
  token?: Token | undefined
  /** The wallet that the message is for: it is addressed as "you". */
  caller?: Address | undefined
}

/** `uint256 taskId, address caller`. */
type List<Inputs> = Inputs extends readonly [infer First extends Input, ...infer Rest]
  ? `${First['type']} ${First['name']}${Rest extends readonly [] ? '' : ', '}${List<Rest>}`
  : ''

type Input = { type: string; name: string }

/** The signatures of the errors in an ABI. */
type Signatures<Entry> = Entry extends { type: 'error'; name: infer Name extends string; inputs: infer Inputs }
  ? `${Name}(${List<Inputs>})`
  : never

/** Every error that the contracts can revert with. Solidity raises the last two itself. */
type Signature =
  | Signatures<(typeof agreementsAbi)[number]>
  | Signatures<(typeof arbitrationAbi)[number]>
  | Signatures<(typeof depositVaultAbi)[number]>
  | Signatures<(typeof escrowVaultAbi)[number]>
  | Signatures<(typeof paymentGatewayAbi)[number]>
  | Signatures<(typeof pricingPolicyAbi)[number]>
  | Signatures<(typeof realityCourtAbi)[number]>
  | Signatures<(typeof reputationRegistryAbi)[number]>
  | Signatures<(typeof stakingVaultAbi)[number]>
  | Signatures<(typeof suiteFactoryAbi)[number]>
  | Signatures<(typeof taskLensAbi)[number]>
  | Signatures<(typeof taskRegistryAbi)[number]>
  | Signatures<(typeof taskScopeRegistryAbi)[number]>
  | Signatures<(typeof tokTokenAbi)[number]>
  | Signatures<(typeof usdOracleAbi)[number]>
  | 'Error(string reason)'
  | 'Panic(uint256 code)'

/** The TypeScript types that viem decodes the Solidity types to. */
type Value<T extends string> = T extends 'uint8' | 'uint16'
  ? number
  : T extends `${'u' | ''}int256`
    ? bigint
    : T extends 'string'
      ? string
      : Hex

/** The arguments by name; `taskId` is already formatted. */
type Args<Inputs extends string> = Inputs extends `${infer Type} ${infer Name}, ${infer Rest}`
  ? { [N in Name]: N extends 'taskId' ? string : Value<Type> } & Args<Rest>
  : Inputs extends `${infer Type} ${infer Name}`
    ? { [N in Name]: N extends 'taskId' ? string : Value<Type> }
    : unknown

type Sentence<A> = string | ((args: A, context: ErrorContext) => string)

type MessageAndHint<S> = S extends `${string}(${infer Inputs})`
  ? readonly [message: Sentence<Args<Inputs>>, wayOut: Sentence<Args<Inputs>>]
  : never

/** Two sentences for every error, keyed by its signature: what went wrong, and what to do now. */
export type ErrorMessages = { [S in Signature]: MessageAndHint<S> }
