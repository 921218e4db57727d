import { formatTrackRecord } from '@svc/operations'
import { z } from 'zod'
import { address, buildMeta, market, meta } from '../fields.ts'
import { toUntrustedProfile, untrustedProfile } from '../profiles.ts'
import { defineTool, ToolError } from '../tool.ts'

export const readProfile = defineTool({
  name: 'svc_read_profile',
  title: 'Profile of a wallet',
  description:
    'What a wallet did in one market, from the chain: score, completed tasks, times to review and pay, disputes with outcomes. Also what it says about itself, if it signed a profile.',
  input: z.strictObject({ address, market }),
  output: z.looseObject({
    record: z
      .looseObject({
        score: z.int().describe('Reputation score.'),
        completed: z.int().describe('Tasks completed.'),
      })
      .describe('Track record from the chain.'),
    selfDeclared: untrustedProfile.optional(),
    missing: z.string().optional().describe('Why profiles cannot be read now.'),
    meta,
  }),
  async run({ address, market }, { reader, profiles }) {
    const { block, ...found } = await reader.getTrackRecord(market, address)
    // The record does not depend on the API.
    const profile = await profiles.find(address, market).catch((error: unknown) => {
      if (error instanceof ToolError) return error
      throw error
    })
    return {
      record: formatTrackRecord(found, market),
      ...(profile instanceof ToolError
        ? { missing: profile.message }
        : profile && { selfDeclared: toUntrustedProfile(profile) }),
      meta: buildMeta(block),
    }
  },
})
