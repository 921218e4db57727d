import { formatIssue } from '@svc/protocol/internal/base'
import { type ProfileStatement, profile } from '@svc/protocol/internal/people'
import { buildProfileTypedData, encodeProfile } from '@svc/protocol/profile'
import * as z from 'zod/mini'
import { openPublicNotifier } from './notifier.ts'
import type { WorkWallet } from './place.ts'

/** Builds what a wallet signs to publish a profile, or with null to remove it. Returns `problem` for what is no profile. */
export function buildProfileStatement(
  { wallet, settings, markets }: WorkWallet,
  given: unknown,
  issuedAt = settings.now(),
) {
  const { success, data, error } = z.safeParse(z.nullable(profile), given)
  if (!success) return { problem: `Not a profile: ${formatIssue(error.issues[0], ['profile'])}` }
  const statement = {
    wallet,
    domain: settings.domain,
    chainId: markets.deployments.chainId,
    issuedAt,
    profile: data ? encodeProfile(data) : '',
  }
  return { statement, typedData: buildProfileTypedData(statement) }
}

/** Gives the signed statement to the notifier of the market. */
export async function publishStatement(opened: WorkWallet, statement: ProfileStatement, signature: string) {
  return (await openPublicNotifier(opened)).putProfile({ ...statement, signature })
}
