import fc from 'fast-check'
import { type Abi, type Address, erc20Abi, getAddress, type Hex, maxUint256, toHex } from 'viem'
import { arbitrationAbi } from '../abis/arbitration.ts'
import { depositVaultAbi } from '../abis/depositVault.ts'
import { escrowVaultAbi } from '../abis/escrowVault.ts'
import { paymentGatewayAbi } from '../abis/paymentGateway.ts'
import { stakingVaultAbi } from '../abis/stakingVault.ts'
import { taskRegistryAbi } from '../abis/taskRegistry.ts'
import { type Market, markets } from '../base/market.ts'
import { paidPlans } from '../money/plans.ts'
import type { TaskTerms } from '../terms/typedData.ts'
import { type ActionContract, type ActionContracts, type AnyAction, listInputFields } from './action.ts'

const bytes = (length: number): fc.Arbitrary<Hex> =>
  fc.uint8Array({ minLength: length, maxLength: length }).map((array) => toHex(array))
const address: fc.Arbitrary<Address> = bytes(20)
  .filter((hex) => BigInt(hex) !== 0n)
  .map((hex) => getAddress(hex))
const hash = bytes(32).filter((hex) => BigInt(hex) !== 0n)
const amount = fc.bigInt(0n, 2n ** 128n - 1n)
const seconds = fc.bigInt(0n, 2n ** 40n - 1n)
const signature = fc.record({
  nonce: fc.bigInt(0n, maxUint256),
  expiry: seconds,
  data: fc.oneof(bytes(65), bytes(200)),
})
const terms: fc.Arbitrary<TaskTerms> = fc
  .array(fc.record({ amount, duration: seconds }), { minLength: 1, maxLength: 16 })
  .chain((milestones) =>
    fc.record({
      poster: address,
      amounts: fc.constant(milestones.map((each) => each.amount)),
      durations: fc.constant(milestones.map((each) => each.duration)),
      reviewWindow: seconds,
      maxRevisions: fc.nat(3),
      arbitrator: fc.oneof(address, fc.constant<Address>('0x0000000000000000000000000000000000000000')),
      store: fc.oneof(address, fc.constant<Address>('0x0000000000000000000000000000000000000000')),
      criteriaHash: hash,
      scope: fc.nat(1),
      claimPolicy: fc.nat(1),
      claimDeadline: seconds,
      nonce: fc.bigInt(0n, maxUint256),
    }),
  )

const storageReceipt = fc.record({
  size: fc.bigInt(1n, 2n ** 53n - 1n),
  until: seconds,
  signature: fc.oneof(bytes(65), bytes(200)),
})

/** Random values for each name an action's input may have. */
const fields: Record<string, (market: Market) => fc.Arbitrary<unknown>> = {
  market: (market) => fc.constant(market),
  taskId: (market) => fc.bigInt(1n, maxUint256).map((number) => ({ market, number })),
  terms: () => terms,
  text: () => fc.string({ unit: 'grapheme', maxLength: 300 }),
  receipt: () => storageReceipt,
  milestone: () => fc.bigInt(0n, 15n),
  round: () => fc.bigInt(1n, 65_535n),
  ...Object.fromEntries(['workerBps', 'shareBps'].map((name) => [name, () => fc.bigInt(0n, 10_000n)])),
  forWorker: () => fc.boolean(),
  tier: () => fc.constantFrom(...paidPlans),
  payWith: () => fc.constantFrom('tok', 'usdc'),
  nonce: () => fc.bigInt(0n, maxUint256),
  deadline: () => seconds,
  ...Object.fromEntries(
    ['amountTokWei', 'amountUsdc', 'fundAmountTokWei', 'maxAmount', 'maxUsdc', 'minUsdc'].map((name) => [
      name,
      () => amount,
    ]),
  ),
  ...Object.fromEntries(['agent', 'to', 'worker', 'arbitrator', 'beneficiary'].map((name) => [name, () => address])),
  ...Object.fromEntries(
    ['settlementDigest', 'proofHash', 'reasonHash', 'evidenceHash'].map((name) => [name, () => hash]),
  ),
  ...Object.fromEntries(
    ['permit', 'posterAcceptance', 'workerAcceptance', 'posterSignature', 'workerSignature'].map((name) => [
      name,
      () => signature,
    ]),
  ),
}

const isSame = (terms: unknown, acceptance: unknown): boolean =>
  acceptance !== undefined && (terms as TaskTerms).nonce === (acceptance as { nonce: bigint }).nonce

/** A random input of an action. Throws for an action with an unknown field. */
export function arbitraryInput(action: AnyAction): fc.Arbitrary<Record<string, unknown>> {
  return fc.constantFrom(...markets).chain((market) =>
    fc
      .record(
        Object.fromEntries(
          listInputFields(action).map(({ name, isOptional }) => {
            const field = fields[name]?.(market)
            if (!field) throw new Error(`No random values for ${name} of ${action.name}.`)
            return [name, isOptional ? fc.option(field, { nil: undefined }) : field]
          }),
        ),
      )
      .map((input) => Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined)))
      // Two signatures of one wallet cannot have the same nonce.
      .filter(({ terms, posterAcceptance }) => !isSame(terms, posterAcceptance)),
  )
}

/** Some random inputs of an action. */
export const sampleInputs = (action: AnyAction, count: number): Record<string, unknown>[] =>
  fc.sample(arbitraryInput(action), count)

const at = (byte: number): Address => getAddress(`0x${byte.toString(16).padStart(2, '0').repeat(20)}`)

/** Addresses of two markets that share their tokens. */
export const places: Record<Market, ActionContracts> = {
  standard: contractsFrom(0x10),
  micro: contractsFrom(0x20),
}

function contractsFrom(first: number): ActionContracts {
  return {
    tokToken: at(1),
    usdc: at(2),
    taskRegistry: at(first),
    depositVault: at(first + 1),
    escrowVault: at(first + 2),
    paymentGateway: at(first + 3),
    stakingVault: at(first + 4),
    arbitration: at(first + 5),
    // Both markets share the tokens and the pool; in this test only, nothing else, so that the market is found by the router.
    swap: { router: at(first + 6), quoter: at(3), factory: at(4), weth: at(5), pool: at(6), fee: 3_000 },
  }
}

/** The ABIs behind the names that actions call contracts by. */
export const contractAbis: Readonly<Record<ActionContract, Abi>> = {
  tokToken: erc20Abi,
  usdc: erc20Abi,
  taskRegistry: taskRegistryAbi,
  depositVault: depositVaultAbi,
  escrowVault: escrowVaultAbi,
  paymentGateway: paymentGatewayAbi,
  stakingVault: stakingVaultAbi,
  arbitration: arbitrationAbi,
  swapRouter: [],
}
