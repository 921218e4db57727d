import { readFile } from 'node:fs/promises'
import { chainProfiles } from '@svc/protocol'
import { explainIssue, formatIssue } from '@svc/protocol/internal/base'
import { type Address, getAddress, isAddress, keccak256, stringToHex, zeroAddress } from 'viem'
import { z } from 'zod'
import { AdminError } from '../adminError.ts'

const nonZeroAddress = z
  .string()
  // Without a checksum a mistyped digit would pass.
  .refine((text) => isAddress(text, { strict: true }) && text === getAddress(text), 'not an address with a checksum')
  .refine((text) => text !== zeroAddress, 'the zero address')
  .transform((text): Address => getAddress(text))

const timelock = z.union(
  [
    z.strictObject({ governors: z.array(nonZeroAddress).min(1, 'names no governors').max(10) }),
    z.strictObject({ address: nonZeroAddress }),
  ],
  'neither governors nor an address',
)
const tok = z.union(
  [z.strictObject({ mintTo: nonZeroAddress }), z.strictObject({ address: nonZeroAddress })],
  'neither mintTo nor an address',
)
const oracle = z.union(
  [
    z.strictObject({ priceFeed: nonZeroAddress, sequencerFeed: nonZeroAddress.nullable() }),
    z.strictObject({ address: nonZeroAddress }),
    z.null(),
  ],
  'neither feeds, nor an address, nor null',
)

/** Without an address, a new court asks Reality.eth. */
const finalCourt = z.union(
  [
    nonZeroAddress,
    z.strictObject({
      reality: nonZeroAddress,
      /** Where the rules for answers are published. It is part of every question. */
      policy: z
        .url()
        .max(256)
        .regex(/^[!#-;=?-[\]_a-z~]+$/, 'not a link without quotes, spaces and angle brackets'),
      /** The least bond of an answer, in wei of the chain's coin. */
      minBondWei: z
        .string()
        .regex(/^[1-9]\d{0,20}$/, 'not an amount in wei')
        .transform(BigInt),
    }),
  ],
  'neither an address nor a court that asks Reality.eth',
)

/** What is deployed on one chain, and who may do what there. People review the file before anything is sent. */
export const planSchema = z
  .strictObject({
    chainId: z
      .number()
      .refine((id) => chainProfiles.some((profile) => profile.id === id), 'not a chain with a profile'),
    /** The wallet or Safe that creates the contracts. It has no role afterwards. */
    deployer: nonZeroAddress,
    /** Names the suite. Like every other field, it changes all addresses. */
    suite: z
      .string()
      .regex(/^[a-z0-9][a-z0-9.-]{0,30}$/, 'not a short name of lower-case letters, digits, dots and hyphens'),
    usdc: nonZeroAddress,
    tok,
    timelock,
    /** Without an oracle, plans are sold for USDC only. */
    oracle,
    treasury: nonZeroAddress,
    finalCourt,
    guardian: nonZeroAddress,
    /** On a testnet, wallets may govern. */
    allowWalletGovernors: z.boolean().default(false),
    /** The suite that this one replaces. */
    predecessor: z
      .strictObject({
        standard: z.strictObject({ taskLens: nonZeroAddress, reputationRegistry: nonZeroAddress }),
        micro: z.strictObject({ taskLens: nonZeroAddress, reputationRegistry: nonZeroAddress }),
      })
      .nullable()
      .default(null),
    /** The most gas of one transaction of a Safe. */
    maxBatchGas: z.number().int().min(6_000_000).max(100_000_000).default(15_000_000),
  })
  .strict()

export type Plan = z.output<typeof planSchema>

/** Parses a plan. Throws `AdminError` with everything that is wrong with its shape. */
export function parsePlan(text: string, source: string): Plan {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new AdminError(`${source} is not JSON.`)
  }
  const { success, data, error } = planSchema.safeParse(json, { error: explainIssue })
  if (success) return data
  throw new AdminError(`${source} is not a plan:\n${error.issues.map((issue) => `  ${formatIssue(issue)}`).join('\n')}`)
}

/** Loads a plan. */
export async function loadPlan(file: string): Promise<Plan> {
  const text = await readFile(file, 'utf8').catch(() => {
    throw new AdminError(`Cannot read the plan ${file}.`)
  })
  return parsePlan(text, file)
}

/**
 * Identifies what a plan deploys. It is the salt of the factory, so two plans never share an address: a deployment that was begun
 * with one cannot be continued with another.
 */
export function hashPlan({ maxBatchGas: _, allowWalletGovernors: __, ...deployed }: Plan) {
  return keccak256(
    stringToHex(JSON.stringify(deployed, (_, value) => (typeof value === 'bigint' ? String(value) : value))),
  )
}
