import type { CheckedProfile, Profile } from '@svc/protocol/profile'

/** A profile whose signature was verified here, whatever the API says about it. */
export type VerifiedProfile = CheckedProfile & { content: Profile }

interface ProfileSearchInput {
  market: string
  words?: string | undefined
  skill?: string | undefined
  language?: string | undefined
  maxPriceTokWei?: string | undefined
  limit: number
  cursor?: string | undefined
}

/** Finds profiles through the API of the market. */
export interface ProfileFinder {
  /** Null if the wallet has none. Throws `ToolError`. */
  find: (wallet: string, market: string) => Promise<VerifiedProfile | null>
  /** Profiles in the order of the API, without those whose signature is not valid. Throws `ToolError`. */
  search: (input: ProfileSearchInput) => Promise<{ profiles: VerifiedProfile[]; nextCursor: string | null }>
}
