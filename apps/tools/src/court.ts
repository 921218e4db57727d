import { buildCourtBatch, CourtBatchError, type CourtDecision, readAtHead, readCourt, readCourtCases } from '@svc/chain'
import { formatTaskId, type Market } from '@svc/protocol'
import { market } from '@svc/protocol/internal/base'
import type { CourtCase } from '@svc/protocol/internal/steps'
import { taskId } from '@svc/protocol/internal/tasks'
import type { Hex } from 'viem'
import * as z from 'zod/mini'
import { toTimeFields, toTokFields } from './fields.ts'
import type { Markets } from './market.ts'

/** Decisions, as the people of a court write them down. The numbers are those of the list. */
const courtDecisions = z.array(
  z.strictObject({
    taskId,
    case: z.int().check(z.minimum(1)),
    offerBps: z.int(),
    askBps: z.int(),
    forWorker: z.boolean(),
    reasonHash: z.string().check(z.regex(/^0x(?!0{64})[0-9a-fA-F]{64}$/)),
  }),
)

export const courtBatchInput = z.strictObject({ market, decisions: courtDecisions })

/** Reads what the final court is and the cases that wait for it, in the order of its desk. */
export function readCourtDesk({ providers, places, deployments }: Markets, market: Market) {
  return readAtHead(providers, async (provider, block) => ({
    court: await readCourt(provider, deployments),
    ...(await readCourtCases(provider, places.markets[market], block)),
  }))
}

export type CourtDesk = Awaited<ReturnType<typeof readCourtDesk>>

/** Formats the kind of a court, with who must sign or how it is asked. */
export function formatCourt({ court }: CourtDesk, market: Market) {
  const { kind, address } = court
  if (court.kind === 'safe') return { kind, address, signatures: court.threshold, owners: court.owners }
  if (court.kind !== 'reality') return { kind, address }
  const { answerTime, timeout, minBond } = court.seats[market]
  const { reality, policy } = court
  return { kind, address, reality, policy, answerTime, timeout, minBondWei: String(minBond) }
}

/** Formats a case of the list. */
export const formatCase = (
  { number, round, amount, gap, offerBps, askBps, openedBy, appealAgainst, silent, decideFrom, courtEnd }: CourtCase,
  market: Market,
) => ({
  taskId: formatTaskId({ market, number }),
  case: round,
  ...toTokFields('amount', amount),
  ...toTokFields('gap', gap),
  offerBps,
  askBps,
  openedBy,
  appealAgainst,
  silent,
  ...toTimeFields('decideFrom', decideFrom),
  ...toTimeFields('courtEnd', courtEnd),
})

/** Builds the file for the Safe of a court, against the cases as they are now. Throws `CourtBatchError`. */
export async function prepareCourtBatch(markets: Markets, { market, decisions }: z.output<typeof courtBatchInput>) {
  const { court, cases, block } = await readCourtDesk(markets, market)
  const parsed = decisions.map(({ taskId: id, case: round, reasonHash, ...rest }): CourtDecision => {
    if (id.market !== market) throw new CourtBatchError(`${formatTaskId(id)} is a task of the other market`)
    return { number: id.number, round, reasonHash: reasonHash as Hex, ...rest }
  })
  const { arbitration } = markets.places.markets[market]
  const { chainId } = markets.deployments
  return buildCourtBatch({ chainId, market, arbitration, court, cases, decisions: parsed, now: block.timestamp })
}
