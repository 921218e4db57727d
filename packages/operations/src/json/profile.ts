import { publishedProfile, signedProfile } from '@svc/protocol/internal/people'
import type { Profile, SignedProfile } from '@svc/protocol/profile'
import * as z from 'zod'

/** Whether a profile was found. */
export const profileStatuses = ['published', 'none', 'unavailable'] as const

export const profileStatus = z
  .enum(profileStatuses)
  .describe(
    'Whether there is one. `published`: the wallet signed a profile; `none`: it has not; `unavailable`: this service cannot read profiles now, or its operator does not offer them.',
  )

/** A profile that a wallet signed. */
export const selfDeclaredJson = z
  .object({
    profile: publishedProfile.check(
      z.describe('What the wallet says about itself. Nobody checked it; show it as plain text.'),
    ),
    statement: signedProfile.check(
      z.describe('The statement that the wallet signed. Its `profile` is the same as canonical JSON.'),
    ),
  })
  .describe('Self-declared: signed by the wallet, and not on the chain.')

export type SelfDeclaredJson = z.input<typeof selfDeclaredJson>

/** A signed profile on the wire. */
export const formatSelfDeclared = (content: Profile, statement: SignedProfile): SelfDeclaredJson => ({
  profile: content,
  statement,
})
