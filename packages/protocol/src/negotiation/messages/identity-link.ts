import * as z from 'zod/mini'
import { payee } from '../../wire.ts'
import type { Kind } from '../kind.ts'
import { demand } from '../refusal.ts'

const payload = z.discriminatedUnion('relation', [
  z.strictObject({
    relation: z.literal('xmtp'),
    /** The party's XMTP inbox. */
    subject: z.string().check(z.regex(/^[0-9a-f]{64}$/, 'not an inbox id: 64 hex digits in lower case')),
  }),
  z.strictObject({
    relation: z.literal('supervisor'),
    /** The wallet that may veto for the party. */
    subject: payee,
  }),
  z.strictObject({
    relation: z.literal('erc8004'),
    /** The party's agent: chain, identity registry, number. */
    subject: z
      .string()
      .check(
        z.regex(
          /^eip155:[1-9][0-9]{0,15}:0x[0-9a-fA-F]{40}:(?:0|[1-9][0-9]{0,77})$/,
          'not an agent: eip155:<chain id>:<registry>:<agent id>',
        ),
      ),
  }),
])

export type IdentityLinkPayload = z.output<typeof payload>

/** A party says who else it is, or who watches over it. A supervisor stays one: an agent cannot shake it off. */
export const identityLink = {
  payload,
  apply: (link, { state: { parties, links }, party }) => {
    const isParty = Object.values<string>(parties).includes(link.subject)
    demand(link.relation !== 'supervisor' || !isParty, 'a party cannot be a supervisor.')
    return { links: [...links, { ...link, party }] }
  },
} as const satisfies Kind<IdentityLinkPayload>
