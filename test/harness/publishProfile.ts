import { profilesSchema, saveProfile } from '@svc/profiles'
import { verifyKeySignature } from '@svc/protocol/negotiation'
import { buildProfileTypedData, checkProfile, encodeProfile, type SignedProfile } from '@svc/protocol/profile'
import { createDatabase } from '@svc/serve'
import type { LocalAccount } from 'viem'
import type { IndexedWorld } from './indexed.ts'

/** Signs and saves the profile of a wallet, as the notifier does. */
export async function publishProfile(
  { sql }: Pick<IndexedWorld, 'sql'>,
  account: LocalAccount,
  content: Parameters<typeof encodeProfile>[0],
  domain = 'market.example',
): Promise<SignedProfile> {
  const now = Math.floor(Date.now() / 1000)
  const statement = {
    wallet: account.address,
    domain,
    chainId: 8453,
    issuedAt: now - 60,
    profile: encodeProfile(content),
  }
  const signed = { ...statement, signature: await account.signTypedData(buildProfileTypedData(statement)) }
  const checks = { domains: [domain], chainId: 8453, now, verifySignature: verifyKeySignature }
  const checked = await checkProfile(signed, checks)
  // Brings the table, if nobody has asked for a profile before.
  await createDatabase(sql, profilesSchema)((known) => saveProfile(known, checked))
  return signed
}
