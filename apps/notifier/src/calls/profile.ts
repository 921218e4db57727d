import { operations, ServiceError } from '@svc/operations'
import { listNewcomerProfiles, type ProfilePlace, saveProfile, settleProfile } from '@svc/profiles'
import { formatAmount, pauseThreshold } from '@svc/protocol'
import { ProfileError, type ProfileUse } from '@svc/protocol/internal/people'
import { checkProfile, type SignedProfile } from '@svc/protocol/profile'
import { findWidestNetwork, implementCalls } from '@svc/serve'
import type { NotifierDeps } from '../deps.ts'

const implement = implementCalls<NotifierDeps>()

export const putProfile = implement(operations.putProfile)(async (signed, deps, { client }) => {
  const { domains, chainId, verifySignature, now, profiles, canPublish } = deps
  const checked = await check(signed, { domains, chainId, verifySignature, now: Math.floor(now() / 1000) })
  const mayAdd = await canPublish(checked.wallet)
  // A signature costs nothing. Without this, free wallets could fill the directory.
  if (checked.content && !mayAdd) {
    throw new ServiceError('DEPOSIT_REQUIRED', 'Only wallets that take part in the market have a profile.', {
      hint: `Put at least ${formatAmount(pauseThreshold, 'usdc')} into your deposit, or complete a task.`,
    })
  }
  // A profile that is there can always be removed. The removal of none is not stored.
  const isKnown = mayAdd && (await deps.isEstablished(checked.wallet))
  const place: ProfilePlace = { network: isKnown ? null : findWidestNetwork(client), ...(!mayAdd && { places: 0 }) }
  const save = () => profiles((sql) => saveProfile(sql, checked, place))
  let result = await save()
  // One deposit that is passed on must not fill the directory: who has none any more gives way.
  if (result === 'full' && mayAdd && !isKnown && (await settleNewcomers(deps, place.network, looked)) > 0)
    result = await save()
  if (result === 'full' && checked.content) {
    throw new ServiceError('PROFILES_FULL', 'There is no room for further profiles.')
  }
  if (result === 'older') throw new ServiceError('OLDER_PROFILE', 'The wallet has signed a newer profile.')
  const { wallet, issuedAt, content } = checked
  return { wallet, issuedAt, status: content ? 'published' : 'removed' }
})

/** Newcomers that are looked at when there is no room. */
const looked = 32

/** Removes profiles of wallets that may not publish any more, and keeps those that are established by now. Returns how many it settled. */
export async function settleNewcomers(
  { profiles, canPublish, isEstablished }: Pick<NotifierDeps, 'profiles' | 'canPublish' | 'isEstablished'>,
  network: string | null,
  limit: number,
): Promise<number> {
  let settled = 0
  for (const wallet of await profiles((sql) => listNewcomerProfiles(sql, network, limit))) {
    const isKnown = await isEstablished(wallet)
    if (!isKnown && (await canPublish(wallet))) continue
    await profiles((sql) => settleProfile(sql, wallet, isKnown ? 'established' : 'removed'))
    settled++
  }
  return settled
}

async function check(signed: SignedProfile, use: ProfileUse) {
  try {
    return await checkProfile(signed, use)
  } catch (error) {
    if (error instanceof ProfileError) throw new ServiceError('INVALID_PROFILE', error.message)
    throw error
  }
}
