import { operations, ServiceError } from '@svc/operations'
import { maxProfiles, saveProfile } from '@svc/profiles'
import { formatAmount, pauseThreshold } from '@svc/protocol'
import { ProfileError, type ProfileUse } from '@svc/protocol/internal/people'
import { checkProfile, type SignedProfile } from '@svc/protocol/profile'
import { implementCalls } from '@svc/serve'
import type { NotifierDeps } from '../deps.ts'

const implement = implementCalls<NotifierDeps>()

export const putProfile = implement(operations.putProfile)(async (signed, deps) => {
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
  const result = await profiles((sql) => saveProfile(sql, checked, mayAdd ? maxProfiles : 0))
  if (result === 'full' && checked.content) {
    throw new ServiceError('PROFILES_FULL', 'There is no room for further profiles.')
  }
  if (result === 'older') throw new ServiceError('OLDER_PROFILE', 'The wallet has signed a newer profile.')
  const { wallet, issuedAt, content } = checked
  return { wallet, issuedAt, status: content ? 'published' : 'removed' }
})

async function check(signed: SignedProfile, use: ProfileUse) {
  try {
    return await checkProfile(signed, use)
  } catch (error) {
    if (error instanceof ProfileError) throw new ServiceError('INVALID_PROFILE', error.message)
    throw error
  }
}
