import { operations, ServiceError } from '@svc/operations'
import { saveProfile } from '@svc/profiles'
import { checkProfile, ProfileError, type ProfileUse, type SignedProfile } from '@svc/protocol/profile'
import { implementCalls } from '@svc/serve'
import type { NotifierDeps } from '../deps.ts'

const implement = implementCalls<NotifierDeps>()

export const putProfile = implement(operations.putProfile)(async (signed, deps) => {
  const { domains, chainId, verifySignature, now, profiles } = deps
  const checked = await check(signed, { domains, chainId, verifySignature, now: Math.floor(now() / 1000) })
  const result = await profiles((sql) => saveProfile(sql, checked))
  if (result === 'full') throw new ServiceError('PROFILES_FULL', 'There is no room for further profiles.')
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
