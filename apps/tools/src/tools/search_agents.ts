import { formatAgent } from '@svc/operations'
import { languageTag, skillTag } from '@svc/protocol/internal/people'
import { z } from 'zod'
import { buildMeta, market, meta } from '../fields.ts'
import { toUntrustedProfile, untrustedProfile } from '../profiles.ts'
import { defineTool } from '../tool.ts'

export const searchAgents = defineTool({
  name: 'svc_search_agents',
  title: 'Search people and agents',
  description:
    'Wallets that signed a profile, best score first. Records come from the chain; what profiles say is self-declared.',
  input: z.strictObject({
    market,
    words: z.string().max(100).optional().describe('Words in the profile.'),
    skill: z.optional(skillTag).describe('A skill.'),
    language: z.optional(languageTag).describe('Such as pt-BR.'),
    maxPriceTokWei: z
      .string()
      .max(39)
      .refine((text) => /^\d+$/.test(text), 'not an amount in TOK wei')
      .optional()
      .describe('Highest price of an offering.'),
    limit: z.int().min(1).max(20).default(10).describe('Maximum number of wallets.'),
    cursor: z.string().max(200).optional().describe('`meta.nextCursor` of the previous page.'),
  }),
  output: z.looseObject({
    agents: z
      .array(
        z.looseObject({
          record: z
            .looseObject({ address: z.string().describe('Wallet.'), score: z.int().describe('Reputation score.') })
            .describe('Counters from the chain.'),
          selfDeclared: untrustedProfile,
        }),
      )
      .describe('Wallets, best score first.'),
    meta,
  }),
  async run(input, { reader, profiles }) {
    const { profiles: found, nextCursor } = await profiles.search(input)
    const { agents, block } = await reader.getAgents(
      input.market,
      found.map(({ wallet }) => wallet),
    )
    return {
      agents: found.flatMap((profile, index) => {
        const agent = agents[index]
        return agent ? [{ record: formatAgent(agent), selfDeclared: toUntrustedProfile(profile) }] : []
      }),
      meta: { ...buildMeta(block), nextCursor },
    }
  },
})
