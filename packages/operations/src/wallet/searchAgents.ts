import { languageTag, skillTag } from '@svc/protocol/internal/people'
import * as z from 'zod'
import { listMetaJson } from '../json/meta.ts'
import { selfDeclaredJson } from '../json/profile.ts'
import { agentJson } from '../json/reputation.ts'
import { defineCall } from '../operation.ts'
import { limit, market } from '../params.ts'

/** The most profiles that one search ranks. */
export const maxRankedProfiles = 500

const cursor = z
  .string()
  .max(100)
  .transform((text, context) => {
    const [, score, wallet] =
      /^(\d{1,10}):(0x[0-9a-f]{40})$/.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? []
    if (score !== undefined && wallet !== undefined) return { score: Number(score), wallet }
    context.addIssue({ code: 'custom', message: 'cursor must be a nextCursor of this list' })
    return z.NEVER
  })
  .optional()
  .describe('`meta.nextCursor` of the previous page; omit it for the first page.')

/** The place of a wallet in a search: by score, then by address. */
export interface AgentCursor {
  score: number
  /** In lower case. */
  wallet: string
}

/** Writes the cursor of the page that follows a wallet. */
export const formatAgentCursor = ({ score, wallet }: AgentCursor): string =>
  Buffer.from(`${score}:${wallet}`).toString('base64url')

export const searchAgents = defineCall('searchAgents', {
  summary: 'Search wallets that published a profile, best score first.',
  description: `Words are searched in name, text, skills and offerings. Profiles are self-declared; score and counters come from the chain. The newest ${maxRankedProfiles} profiles that match are ranked: if \`truncated\` is true, narrow the search.`,
  tag: 'wallet',
  chainCost: 10,
  input: z.object({
    market,
    words: z
      .string()
      .max(100, 'words must have at most 100 characters')
      .optional()
      .describe('Words that all must occur in the profile.'),
    skill: z.optional(skillTag).describe('Only wallets with this skill, such as `translation`.'),
    language: z.optional(languageTag).describe('Only wallets with this language, such as `pt-BR`.'),
    maxPriceTokWei: z
      .string()
      .regex(/^(?:0|[1-9][0-9]{0,38})$/, 'maxPriceTokWei must be an amount in TOK wei')
      .optional()
      .describe('Only wallets with an offering of at most this price, in TOK wei.'),
    brief: z.literal('true').optional().describe('`true` leaves out the signed statements.'),
    limit,
    cursor,
  }),
  output: z.object({
    agents: z
      .array(
        z.object({
          record: agentJson.describe('What the wallet did, from the counters of the contracts.'),
          selfDeclared: selfDeclaredJson
            .partial({ statement: true })
            .describe('What the wallet says about itself; with `brief`, without the signed statement.'),
        }),
      )
      .describe('Wallets, best score first, then by address.'),
    truncated: z.boolean().describe(`True if more than ${maxRankedProfiles} profiles match; older ones were left out.`),
    meta: listMetaJson,
  }),
  errors: ['INVALID_LIMIT', 'INVALID_CURSOR', 'CHAIN_UNREACHABLE', 'PROFILES_UNAVAILABLE'],
})
