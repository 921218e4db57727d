import * as z from 'zod/mini'
import { payee } from '../../wire.ts'
import type { Kind } from '../kind.ts'
import { assertAllowed } from '../messageErrors.ts'
import type { IdentityLinkPayload } from '../state.ts'

const payload = z.discriminatedUnion('relation', [
  z.strictObject({
    relation: z.literal('xmtp'),
    /** The party's XMTP inbox. */
    subject: z.string().check(z.regex(/^[0-9a-f]{64}$/, 'not a valid inbox id: expected 64 hex digits in lower case')),
  }),
  z.strictObject({
    relation: z.literal('supervisor'),
    /** The wallet that can veto on behalf of the party. */
    subject: payee,
  }),
  z.strictObject({
    relation: z.literal('erc8004'),
    /** The party's agent: chain, identity registry, agent id. */
    subject: z
      .string()
      .check(
        z.regex(
          /^eip155:[1-9][0-9]{0,15}:0x[0-9a-fA-F]{40}:(?:0|[1-9][0-9]{0,77})$/,
          'not a valid agent: expected eip155:<chain id>:<registry>:<agent id>',
        ),
      ),
  }),
])

/** A party links another identity or a supervisor. A supervisor cannot be removed, so an agent cannot escape it. */
export const identityLink = {
  payload,
  apply: (link, { state: { parties, links }, party }) => {
    const isParty = Object.values<string>(parties).includes(link.subject)
    assertAllowed(link.relation !== 'supervisor' || !isParty, 'a party cannot be a supervisor.')
    return { links: [...links, { ...link, party }] }
  },
} as const satisfies Kind<IdentityLinkPayload>
