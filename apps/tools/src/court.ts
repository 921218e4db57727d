import {
  type BlockRef,
  CourtCallError,
  type CourtStep,
  type Provider,
  prepareCourtCall,
  readAtHead,
  readCourt,
  readCourtCases,
} from '@svc/chain'
import { formatTaskId, type Market, type TaskId } from '@svc/protocol'
import { market, nonZeroHash } from '@svc/protocol/internal/base'
import { buildCourtBatch, CourtBatchError, type CourtCase, type CourtDecision } from '@svc/protocol/internal/steps'
import { taskId } from '@svc/protocol/internal/tasks'
import type { Address } from 'viem'
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
    reasonHash: nonZeroHash,
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
  const parsed = decisions.map(({ taskId: id, case: round, ...rest }): CourtDecision => {
    if (id.market !== market) throw new CourtBatchError(`${formatTaskId(id)} is a task of the other market`)
    return { number: id.number, round, ...rest }
  })
  const { arbitration } = markets.places.markets[market]
  const { chainId } = markets.deployments
  return buildCourtBatch({ chainId, market, arbitration, court, cases, decisions: parsed, now: block.timestamp })
}

/** Prepares a step of a case at a court that asks the public. Throws `CourtCallError`. */
export async function prepareCourtStep(
  { providers, places, deployments }: Markets,
  id: TaskId,
  from: Address,
  step: CourtStep,
) {
  const { arbitration } = places.markets[id.market]
  const prepare = async (provider: Provider, block: BlockRef) => {
    const court = await readCourt(provider, deployments)
    if (court.kind !== 'reality') throw new CourtCallError(`the final court ${court.address} does not ask the public`)
    const { minBond } = court.seats[id.market]
    return prepareCourtCall(provider, block, { court, arbitration, task: id.number, minBond, from }, step)
  }
  // A refusal is an answer: another provider is not asked for a better one.
  const { call, refusal } = await readAtHead(providers, (provider, block) =>
    prepare(provider, block).then(
      (call) => ({ call, refusal: null }),
      (error: unknown) => {
        if (error instanceof CourtCallError) return { call: null, refusal: error }
        throw error
      },
    ),
  )
  if (!call) throw refusal
  return { chainId: deployments.chainId, from, ...call, value: String(call.value) }
}
