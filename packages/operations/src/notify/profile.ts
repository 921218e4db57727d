import { signedProfile } from '@svc/protocol/profile'
import * as z from 'zod'
import { addressText, moment } from '../json/scalars.ts'
import { defineCall } from '../operation.ts'

export const putProfile = defineCall('putProfile', {
  summary: 'Publish, change or remove the profile of a wallet.',
  description:
    'Needs no session: the wallet signs the statement itself (EIP-712; `buildProfileTypedData` of the protocol package builds it). Contract wallets sign by ERC-1271. The newest `issuedAt` counts, up to five minutes ahead. An empty `profile` removes the profile, and older statements cannot bring it back. To publish, the wallet needs a deposit of at least the pause threshold in a market, or a completed task; to remove, nothing.',
  tag: 'wallet',
  maxBody: 131_072,
  input: signedProfile,
  output: z.object({
    wallet: addressText.describe('Wallet of the profile.'),
    issuedAt: moment.describe('When the statement that counts now was signed, in unix seconds.'),
    status: z.enum(['published', 'removed']).describe('Whether the wallet has a profile now.'),
  }),
  errors: ['INVALID_PROFILE', 'DEPOSIT_REQUIRED', 'OLDER_PROFILE', 'PROFILES_FULL', 'DATABASE_UNREACHABLE'],
})
