import * as z from 'zod/mini'
import { bytes32, payee } from '../../base/wire.ts'
import { taskId } from '../../tasks/taskIdSchema.ts'
import { prose } from '../../tasks/taskText.ts'
import type { Kind } from '../kind.ts'
import { assertAllowed } from '../messageErrors.ts'
import type { IdentityLinkPayload } from '../state.ts'

/** Links to documents: at most 16, https or ipfs, visible ASCII, no user info before the host. */
export const links = z
  .array(
    z
      .string()
      .check(
        z.maxLength(2_048),
        z.regex(
          /^(?:https|ipfs):\/\/[A-Za-z0-9.-]+(?::[0-9]{1,5})?(?:[/?#][A-Za-z0-9._~:/?#[\]@!$&'()*+,;=%-]*)?$/,
          'not a valid link: expected https:// or ipfs://, a host and a path',
        ),
      ),
  )
  .check(z.maxLength(16))

/** What a worker says about their abilities: in a negotiation, or in an application. */
export const capabilities = z.strictObject({
  claims: z.array(prose).check(z.minLength(1), z.maxLength(16)),
  links: z.optional(links),
})

/** The worker's description of their abilities. Nothing in it is verified. */
export const capabilityProof = { payload: capabilities, apply: () => ({}) } as const satisfies Kind<
  z.output<typeof capabilities>
>

const replacementContextPayload = z.strictObject({
  previousTaskId: z.optional(taskId),
  previousDigest: bytes32,
  summary: prose,
})

/** The poster describes the earlier task that this one continues. Nothing in it is verified. */
export const replacementContext = { payload: replacementContextPayload, apply: () => ({}) } as const satisfies Kind<
  z.output<typeof replacementContextPayload>
>

const supervisorVetoPayload = z.strictObject({ settlementDigest: bytes32, reason: prose })

/**
 * The supervisor of a party ends the negotiation. An acceptance that the party already signed stays valid on chain until the
 * party invalidates its nonce there (`invalidateNonce`).
 */
export const supervisorVeto = {
  payload: supervisorVetoPayload,
  apply: ({ settlementDigest }, { state: { terms } }) => {
    assertAllowed(
      settlementDigest === terms.settlementDigest,
      `it vetoes ${settlementDigest}, but the current offer is ${terms.settlementDigest}.`,
    )
    return {}
  },
} as const satisfies Kind<z.output<typeof supervisorVetoPayload>>

const identityLinkPayload = z.discriminatedUnion('relation', [
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
  payload: identityLinkPayload,
  apply: (link, { state: { parties, links }, party }) => {
    const isParty = Object.values<string>(parties).includes(link.subject)
    assertAllowed(link.relation !== 'supervisor' || !isParty, 'a party cannot be a supervisor.')
    return { links: [...links, { ...link, party }] }
  },
} as const satisfies Kind<IdentityLinkPayload>
