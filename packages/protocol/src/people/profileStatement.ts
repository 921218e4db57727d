import { type Address, type Hex, hashTypedData, isAddressEqual } from 'viem'
import * as z from 'zod/mini'
import { address, signatureBytes } from '../base/wire.ts'
import { formatTime } from '../money/units.ts'
import type { VerifySignature } from '../negotiation/signatures.ts'
import { type Profile, ProfileError, parseProfile, profileLimits } from './profile.ts'

/** A profile as its wallet signs it (EIP-712). */
const profileStatement = z.strictObject({
  wallet: address.check(z.describe('Wallet that the profile is of, and that signed it.')),
  domain: z.string().check(z.minLength(1), z.maxLength(255), z.describe('Domain of the site that it was signed for.')),
  chainId: z.int().check(z.minimum(1), z.describe('Chain of the market.')),
  issuedAt: z
    .int()
    .check(z.minimum(0), z.describe('When it was signed, in unix seconds. A newer statement replaces an older one.')),
  profile: z
    .string()
    .check(
      z.maxLength(profileLimits.profileBytes),
      z.describe('The profile as canonical JSON; empty to remove the profile.'),
    ),
})

export type ProfileStatement = z.output<typeof profileStatement>

/** A profile statement with the signature of its wallet. */
export const signedProfile = z.strictObject({
  ...profileStatement.shape,
  signature: signatureBytes.check(z.describe("The wallet's signature over the typed data.")),
})

export type SignedProfile = z.output<typeof signedProfile>

/** What a reader requires of a profile statement. */
export interface ProfileUse {
  /** The domains whose profiles count, from the configuration: `market.example`, or `127.0.0.1:8080`. */
  domains: readonly string[]
  chainId: number
  /** Unix seconds. */
  now: number
  verifySignature: VerifySignature
}

/** A statement that was checked. */
export interface CheckedProfile extends SignedProfile {
  /** Null if the statement removes the profile. */
  content: Profile | null
}

const types = {
  ProfileStatement: [
    { name: 'purpose', type: 'string' },
    { name: 'wallet', type: 'address' },
    { name: 'domain', type: 'string' },
    { name: 'issuedAt', type: 'uint256' },
    { name: 'profile', type: 'string' },
  ],
} as const

/** The sentence that a wallet shows above the profile. */
const profilePurpose = 'Publish this profile on the task market. It does not move money.'

/** The sentence that a wallet shows when the profile is removed. */
const profileRemovalPurpose = 'Remove my profile from the task market. It does not move money.'

/**
 * Builds the typed data that a wallet signs to publish its profile, or to remove it with an empty one.
 *
 * @example
 * ```ts
 * const signature = await account.signTypedData(buildProfileTypedData(statement))
 * ```
 */
export function buildProfileTypedData({ wallet, domain, chainId, issuedAt, profile }: ProfileStatement) {
  return {
    domain: { name: 'Task Market profile', version: '1', chainId },
    types,
    primaryType: 'ProfileStatement',
    message: {
      purpose: profile === '' ? profileRemovalPurpose : profilePurpose,
      wallet,
      domain,
      issuedAt: BigInt(issuedAt),
      profile,
    },
  } as const
}

/**
 * Hashes a profile statement as a wallet signs it.
 *
 * @example
 * ```ts
 * await client.verifyHash({ address: wallet, hash: hashProfileStatement(statement), signature })
 * ```
 */
export function hashProfileStatement(statement: ProfileStatement): Hex {
  return hashTypedData(buildProfileTypedData(statement))
}

/**
 * Checks a signed profile: content, domain, chain, time and signature. Throws {@link ProfileError}. Which of two statements of
 * a wallet counts is decided by {@link isNewerProfile}.
 *
 * @example
 * ```ts
 * const { content } = await checkProfile(signed, { domains, chainId, now, verifySignature })
 * ```
 */
export async function checkProfile(signed: SignedProfile, use: ProfileUse): Promise<CheckedProfile> {
  const { wallet, domain, chainId, issuedAt, signature } = signed
  assertStatement(use.domains.includes(domain), `The profile was signed for ${domain}, not for this market.`)
  assertStatement(chainId === use.chainId, `The profile is for chain ${chainId}, not ${use.chainId}.`)
  assertStatement(
    issuedAt <= use.now + profileLimits.clockSkew,
    `The profile is dated ${formatTime(issuedAt)}, which is in the future.`,
  )
  const content = signed.profile === '' ? null : parseProfile(signed.profile)
  const hash = hashProfileStatement(signed)
  const isSigned = await use.verifySignature({ address: wallet, hash, signature })
  assertStatement(isSigned, `The profile was not signed by ${wallet}.`)
  return { ...signed, content }
}

/** Whether a statement replaces another one of the same wallet. Of two with the same time, the greater hash counts. */
export function isNewerProfile(next: ProfileStatement, current: ProfileStatement): boolean {
  if (!isAddressEqual(next.wallet as Address, current.wallet as Address)) return false
  if (next.issuedAt !== current.issuedAt) return next.issuedAt > current.issuedAt
  return hashProfileStatement(next) > hashProfileStatement(current)
}

function assertStatement(condition: boolean, message: string): asserts condition {
  if (!condition) throw new ProfileError('INVALID_PROFILE_STATEMENT', message)
}
