import { type Address, formatEther, type Hex, isAddress, isHex, toFunctionSelector } from 'viem'
import * as z from 'zod/mini'
import { taskRegistryAbi } from '../abis/taskRegistry.ts'
import { type ActionName, actions } from '../actions/index.ts'
import { market } from '../base/marketSchema.ts'
import { accessFee, exitDeposit, taskReserve } from '../money/amounts.ts'
import { formatAmount } from '../money/units.ts'

/** What a session key may do, by what it is for. Everything else is for the owner. All of them call the task registry. */
const grantedActions = {
  earn: ['claim-task', 'start-work', 'submit-proof', 'release-lapsed', 'leave-task', 'expire-task'],
  hire: [
    'post-task',
    'fund-task',
    'allow-worker',
    'start-work',
    'accept-milestone',
    'request-revision',
    'cancel-task',
    'dismiss-worker',
    'expire-task',
  ],
} as const satisfies Record<string, readonly ActionName[]>

export const grantUses = ['earn', 'hire'] as const
export type GrantUse = (typeof grantUses)[number]

/** Lists the actions of a grant. */
export const listGrantedActions = (uses: readonly GrantUse[]): ActionName[] => [
  ...new Set(uses.flatMap((use) => grantedActions[use])),
]

/** Lists the methods of the task registry that the actions of a grant call. */
export function listGrantedSelectors(uses: readonly GrantUse[]): Hex[] {
  const names = listGrantedActions(uses).flatMap((name) =>
    actions[name].functions.map((signature) => signature.slice(0, signature.indexOf('('))),
  )
  return taskRegistryAbi.flatMap((item) =>
    item.type === 'function' && names.includes(item.name) ? [toFunctionSelector(item)] : [],
  )
}

const address = z.custom<Address>((value) => typeof value === 'string' && isAddress(value), 'not an address')
const hex = z.custom<Hex>((value) => isHex(value), 'not hex')
const amount = z.codec(z.string().check(z.regex(/^\d{1,40}$/)), z.bigint(), { decode: BigInt, encode: String })
const second = z.int().check(z.minimum(0))

/** A grant as its owner signed it. It holds no key: only the session key can use it. */
const grantFile = z.object({
  version: z.literal(1),
  /** The API of the market. Its host is what the statement names. */
  apiUrl: z.url(),
  chainId: z.int(),
  market,
  /** The EIP-7702 account of the agent: it works, hires and is paid. */
  account: address,
  session: address,
  contracts: z.object({
    tokToken: address,
    usdc: address,
    taskRegistry: address,
    depositVault: address,
    escrowVault: address,
    paymentGateway: address,
    stakingVault: address,
    arbitration: address,
  }),
  uses: z.array(z.enum(grantUses)).check(z.minLength(1)),
  /** Redeems the delegation (ERC-7710). */
  delegationManager: address,
  delegation: z.object({
    delegate: hex,
    delegator: hex,
    authority: hex,
    caveats: z.array(z.object({ enforcer: hex, terms: hex, args: hex })),
    salt: hex,
    signature: hex,
  }),
  limits: z.object({
    /** TOK that the payment gateway may take in all. It does not refill. */
    allowanceTokWei: amount,
    /** USDC in the deposit. The session key cannot add to it. */
    depositUsdc: amount,
    /** Transactions of the session key. */
    calls: z.int().check(z.minimum(1)),
    /** Unix seconds. */
    until: second,
    gasWei: amount,
    /** The most that one hire may put in escrow; more is for the owner. */
    hireTokWei: amount,
  }),
})

export type Grant = z.output<typeof grantFile>

/** Parses a grant from JSON. Throws a `ZodError`. */
export const parseGrant = (json: unknown): Grant => grantFile.parse(json)

/** Encodes a grant as JSON. */
export const encodeGrant = (grant: Grant): z.input<typeof grantFile> => z.encode(grantFile, grant)

/** The most that an owner can lose to whoever holds the session key. */
export interface WorstCase {
  tokWei: bigint
  usdcUnits: bigint
  gasWei: bigint
}

/**
 * Computes the worst case. All TOK that leaves the account goes through the allowance. An entry costs a fee and an exit deposit of it and
 * puts a reserve of the deposit at stake. A poster that concedes must fill its reserve up again, so a grant to hire puts all of it at stake.
 */
export function computeWorstCase({ uses, limits }: Pick<Grant, 'uses' | 'limits'>): WorstCase {
  const { allowanceTokWei, depositUsdc, gasWei } = limits
  const reserves = (allowanceTokWei / (accessFee + exitDeposit)) * taskReserve
  const usdcUnits = uses.includes('hire') || reserves > depositUsdc ? depositUsdc : reserves
  return { tokWei: allowanceTokWei, usdcUnits, gasWei }
}

/** Says the worst case in one line, for the owner to read before it signs. */
export const describeWorstCase = ({ tokWei, usdcUnits, gasWei }: WorstCase): string =>
  `Worst case: ${formatAmount(tokWei, 'tok')} + ${formatAmount(usdcUnits, 'usdc')} + ${formatEther(gasWei)} ETH of gas. Earnings stay in the account; only you can move them.`
