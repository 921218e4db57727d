import { beforeAll, expect, test } from 'vitest'
import { buildTranscript, context, nextMessage, type Person, remembered } from '../../test/negotiation.ts'
import { applyMessage } from './fold.ts'
import { messageTypes } from './messageTypes.ts'
import { listAllowedMessages, negotiationOutcomes, negotiationRules } from './rules.ts'
import { type Negotiation, type NegotiationPhase, negotiationPhases } from './state.ts'

const options = { chainId: context.chainId, verifySignature: remembered() }

const offered = ['TaskProposal poster', 'IdentityLink worker']
const agreed = [...offered, 'TaskAcceptance poster', 'TaskAcceptance worker']
const oneAccepted = [...agreed, 'DeliveryNotice worker', 'AcceptDelivery poster']
/** A way to each phase, with a supervisor and, where there can be one, an accepted milestone. */
const ways: Record<NegotiationPhase, readonly string[]> = {
  EMPTY: [],
  OFFERED: offered,
  HALF_ACCEPTED: [...offered, 'TaskAcceptance poster'],
  AGREED: oneAccepted,
  DELIVERED: [...oneAccepted, 'DeliveryNotice worker'],
  DISPUTED: [...oneAccepted, 'DeliveryNotice worker', 'DisputeEvidence worker'],
  DONE: [...oneAccepted, 'DeliveryNotice worker', 'AcceptDelivery poster'],
  CANCELLED: [...oneAccepted, 'MutualCancel poster', 'MutualCancel worker'],
  VETOED: [...offered, 'SupervisorVeto supervisor'],
}

const reached = new Map<NegotiationPhase, Negotiation | null>()

beforeAll(async () => {
  for (const phase of negotiationPhases) {
    const { state } = await buildTranscript(ways[phase], options.verifySignature)
    expect(state?.phase ?? 'EMPTY').toBe(phase)
    reached.set(phase, state)
  }
})

const senders = ['poster', 'worker', 'supervisor', 'stranger'] as const satisfies readonly Person[]

test.each(negotiationPhases)(
  '%s: every message by everyone goes where the table says, or is refused',
  async (phase) => {
    const state = reached.get(phase) ?? null
    for (const type of messageTypes) {
      for (const by of senders) {
        const next = applyMessage(state, await nextMessage(state, type, by, 3), options)
        const what = `${type} by ${by}`
        if (by !== 'stranger' && listAllowedMessages(phase, by).includes(type)) {
          const rows = negotiationRules.filter((row) => row.type === type && row.from.includes(phase))
          const ends = rows.map(({ to }) => (to === 'same' ? phase : to))
          expect(ends, what).toContain((await next).phase)
        } else {
          await expect(next, what).rejects.toThrow(/cannot send|starts with|neither a party/)
        }
      }
    }
  },
)

test('an outcome distinguishes rows of one message, phase and role', () => {
  const cells = negotiationRules.flatMap((row) => row.from.map((phase) => ({ cell: `${row.type} ${phase}`, ...row })))
  for (const rows of Map.groupBy(cells, ({ cell }) => cell).values()) {
    const named = new Set(rows.flatMap(({ when }) => when ?? []))
    expect(rows.length === 1 || named.size === rows.length).toBe(true)
    expect(new Set(rows.map(({ by }) => by)).size).toBe(1)
  }
  expect(new Set(negotiationRules.flatMap(({ when }) => when ?? []))).toEqual(new Set(Object.keys(negotiationOutcomes)))
})
