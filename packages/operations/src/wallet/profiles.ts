import { signedProfile } from '@svc/protocol/internal/people'
import { type Address, getAddress } from 'viem'
import * as z from 'zod'
import { metaJson } from '../json/meta.ts'
import { profileStatus, selfDeclaredJson } from '../json/profile.ts'
import { profilesJson } from '../json/reputation.ts'
import { addressText, moment } from '../json/scalars.ts'
import { trackRecordJson } from '../json/trackRecord.ts'
import { defineCall, defineRead } from '../operation.ts'
import { address, market } from '../params.ts'
import { signatureCost } from '../store/sessions.ts'

export const getProfile = defineCall('getProfile', {
  summary: 'Show a wallet: its track record from the chain, and what it says about itself.',
  description:
    '`record` is the answer of `GET /api/wallet/record`, which `svc-verify` can check. `selfDeclared` is not on the chain, so it cannot be checked there: verify its signature with `checkProfile` of the protocol package.',
  tag: 'wallet',
  input: z.object({ address, market }),
  output: z.object({
    record: trackRecordJson,
    selfDeclared: z.nullable(selfDeclaredJson).describe('What the wallet says about itself; null without a profile.'),
    selfDeclaredStatus: profileStatus,
    meta: metaJson,
  }),
  errors: ['INVALID_ADDRESS', 'INDEX_REQUIRED', 'CHAIN_UNREACHABLE'],
})

const maxAddresses = 50

const addresses = z
  .string('addresses are required: wallet addresses, separated by commas')
  .max(5_000)
  .transform((text, context): Address[] => {
    const all = text.split(',')
    const wrong = all.find((each) => !/^0x[0-9a-fA-F]{40}$/.test(each))
    const fail = (message: string) => context.addIssue({ code: 'custom', message, params: { code: 'INVALID_ADDRESS' } })
    if (wrong !== undefined) fail('addresses must be wallet addresses, separated by commas')
    else if (all.length > maxAddresses) fail(`addresses must be ${maxAddresses} at most`)
    else return [...new Set(all.map((each) => getAddress(each)))]
    return z.NEVER
  })
  .describe(`Wallet addresses, separated by commas, ${maxAddresses} at most; upper and lower case do not matter.`)

export const listProfiles = defineRead('listProfiles', {
  summary: 'Show the public record of wallets in one market.',
  description:
    'Computed from the counters of the reputation contract, like the list of wallets with a reputation. A wallet without a record has zeros.',
  tag: 'wallet',
  chainCost: 3,
  input: z.object({
    addresses,
    market,
  }),
  output: profilesJson,
  errors: ['INVALID_ADDRESS'],
})

export const listNames = defineCall('listNames', {
  summary: 'Show what wallets call themselves.',
  description:
    'The name of each profile without the rest, for pages that show many wallets. Not on the chain: `GET /api/wallet/profile` has the signed statement.',
  tag: 'wallet',
  input: z.object({ addresses }),
  output: z.object({
    names: z
      .array(
        z.object({
          address: addressText.describe('Wallet that chose the name.'),
          name: z.string().describe('Its `displayName`. Untrusted, and not unique.'),
          picture: z.string().nullable().describe('Its picture at the store, by SHA-256; null without one.'),
          kind: z.enum(['person', 'agent']).describe('`agent` if the profile has the skill `agent`.'),
        }),
      )
      .describe('Wallets with a profile, in the order of `addresses`. Wallets without one are left out.'),
  }),
  errors: ['INVALID_ADDRESS', 'PROFILES_UNAVAILABLE'],
})

export const putProfile = defineCall('putProfile', {
  summary: 'Publish, change or remove the profile of a wallet.',
  description:
    'Needs no session: the wallet signs the statement itself (EIP-712; `buildProfileTypedData` of the protocol package builds it). Contract wallets sign by ERC-1271. The newest `issuedAt` counts, up to five minutes ahead. An empty `profile` removes the profile, and older statements cannot bring it back. To publish, the wallet needs a deposit of at least the pause threshold in a market, or a completed task; to remove, nothing. Wallets that are not established have fewer places, which they lose with the deposit.',
  tag: 'wallet',
  maxBody: 131_072,
  chainCost: signatureCost,
  input: signedProfile,
  output: z.object({
    wallet: addressText.describe('Wallet of the profile.'),
    issuedAt: moment.describe('When the statement that counts now was signed, in unix seconds.'),
    status: z.enum(['published', 'removed']).describe('Whether the wallet has a profile now.'),
  }),
  errors: ['INVALID_PROFILE', 'DEPOSIT_REQUIRED', 'OLDER_PROFILE', 'PROFILES_FULL', 'DATABASE_UNREACHABLE'],
})
