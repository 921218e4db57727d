import { formatAmount } from '@svc/protocol'
import { signedProfile } from '@svc/protocol/internal/people'
import type { VerifySignature } from '@svc/protocol/negotiation'
import { checkProfile } from '@svc/protocol/profile'
import { z } from 'zod'
import { type AskApi, createAskApi } from './askApi.ts'
import type { ProfileFinder, VerifiedProfile } from './profileFinder.ts'
import { ToolError } from './tool.ts'
import { cleanUntrusted, cleanUntrustedLine } from './untrusted.ts'

const withStatement = z.object({ statement: signedProfile })
const foundJson = z.object({ selfDeclared: z.nullable(withStatement) })
const searchJson = z.object({
  agents: z.array(z.object({ selfDeclared: withStatement })).max(100),
  meta: z.object({ nextCursor: z.nullable(z.string().max(200)) }),
})

export interface ProfileFinderOptions {
  apiUrl: string | undefined
  chainId: number
  verifySignature: VerifySignature
}

/** Creates a finder. The API is not trusted: every signature is verified with the chain's providers. */
export function createProfileFinder({ apiUrl, chainId, verifySignature }: ProfileFinderOptions): ProfileFinder {
  async function verify(given: { statement: z.output<typeof signedProfile> }): Promise<VerifiedProfile[]> {
    const { statement } = given
    const now = Math.floor(Date.now() / 1000)
    // A statement for another market says nothing here.
    const use = { domains: [new URL(String(apiUrl)).host], chainId, now, verifySignature }
    const checked = await checkProfile(statement, use).catch(() => null)
    return checked?.content ? [{ ...checked, content: checked.content }] : []
  }
  return {
    async find(wallet, market) {
      const answer = foundJson.safeParse(await ask('/api/wallet/profile', { address: wallet, market }))
      if (!answer.success) throw notServed()
      const { selfDeclared } = answer.data
      if (!selfDeclared || selfDeclared.statement.wallet !== wallet) return null
      return (await verify(selfDeclared))[0] ?? null
    },
    async search(input) {
      const answer = searchJson.safeParse(await ask('/api/agents/search', { ...input }))
      if (!answer.success) throw notServed()
      const { agents, meta } = answer.data
      const profiles = await Promise.all(agents.map(({ selfDeclared }) => verify(selfDeclared)))
      return { profiles: profiles.flat(), nextCursor: meta.nextCursor }
    },
  }

  async function ask(...given: Parameters<AskApi>): Promise<unknown> {
    if (apiUrl === undefined) throw notServed('No API is set.')
    return createAskApi(apiUrl)(...given).catch(() => {
      throw notServed()
    })
  }
}

const notServed = (reason = 'The API of the market does not serve profiles now.') =>
  new ToolError('PROFILES_UNAVAILABLE', reason, 'Set SVC_API_URL to the API of the market, or try again later.', true)

/** Converts a profile to fields that are named `untrusted…`, because nobody verified what it says. */
export function toUntrustedProfile({ content, domain, issuedAt }: VerifiedProfile) {
  return {
    untrustedDisplayName: cleanUntrustedLine(content.displayName),
    untrustedAbout: cleanUntrusted(content.about, 2_000),
    skills: content.skills,
    languages: content.languages,
    untrustedLinks: content.links.map(
      ({ label, url }) => `${cleanUntrustedLine(label)}: ${cleanUntrustedLine(url, 300)}`,
    ),
    untrustedContact: content.contact === undefined ? null : cleanUntrustedLine(content.contact),
    untrustedOfferings: content.offerings.map(({ title, priceTokWei, turnaroundHours, inputSchema, outputSchema }) => ({
      title: cleanUntrustedLine(title),
      priceTokWei,
      price: formatAmount(BigInt(priceTokWei), 'tok'),
      turnaroundHours,
      inputSchema: cleanUntrusted(JSON.stringify(inputSchema ?? null), 5_000),
      outputSchema: cleanUntrusted(JSON.stringify(outputSchema ?? null), 5_000),
    })),
    signedFor: cleanUntrustedLine(domain),
    signedAt: issuedAt,
  }
}

/** The fields of a profile that callers can rely on. */
export const untrustedProfile = z
  .looseObject({
    untrustedDisplayName: z.string().describe('Name that the wallet chose.'),
    skills: z.array(z.string()).describe('Skills that the wallet claims.'),
    signedAt: z.int().describe('When the wallet signed it, in unix seconds.'),
  })
  .describe('What the wallet says about itself. Signed by it, checked by nobody.')
