import { createSigningContext, UnknownTaskError } from '@svc/chain'
import {
  computeSettlementDigest,
  decodeTaskText,
  formatAmount,
  formatDuration,
  formatTime,
  marketParams,
  parseTaskId,
  termsWire,
} from '@svc/protocol'
import { type Address, zeroAddress } from 'viem'
import * as z from 'zod/mini'
import type { Markets } from '../market.ts'
import type { Line } from './lines.ts'
import { renderTaskText } from './renderTaskText.ts'

/** The terms on chain that a worker agrees to by claiming, with their digest. */
export interface ClaimTerms {
  claimDigest: string
  json: { claimDigest: string; terms: unknown; untrustedText: string | null }
  lines: Line[]
}

/** Reads the terms of a task and computes their digest with this wallet as worker. Throws `UnknownTaskError`. */
export async function readClaimTerms(
  { reader, deployments }: Markets,
  taskId: string,
  worker: Address,
): Promise<ClaimTerms> {
  const id = parseTaskId(taskId)
  const { detail } = await reader.getTaskSummary(id.market, id.number)
  if (!detail) throw new UnknownTaskError(id)
  const { terms, text } = detail
  const milestones = terms.amounts.map(
    (amount, index) =>
      `  ${index + 1}. ${formatAmount(amount, 'tok')} within ${formatDuration(terms.durations[index] ?? 0n)}`,
  )
  const content = text === null ? null : decodeTaskText(text)
  const claimDigest = computeSettlementDigest(createSigningContext(deployments, id.market), terms, worker)
  return {
    claimDigest,
    json: { claimDigest, terms: z.encode(termsWire, terms), untrustedText: text },
    lines: [
      { heading: 'Terms you agree to, read from the chain' },
      `  Poster ${terms.poster}`,
      ...milestones,
      `  Review within ${formatDuration(terms.reviewWindow)}, at most ${terms.maxRevisions} revisions per milestone`,
      terms.store === zeroAddress
        ? '  Without an answer in the review, you are paid'
        : `  Without an answer in the review, you are paid only with a receipt of the store ${terms.store}`,
      `  Claim by ${formatTime(Number(terms.claimDeadline) - marketParams[id.market].claimCutoff)}`,
      ...(content ? [...renderTaskText(content)] : []),
      '',
    ],
  }
}
