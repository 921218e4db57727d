import { signingContext, UnknownTaskError } from '@svc/chain'
import {
  formatAmount,
  formatDuration,
  formatTime,
  parseTaskId,
  readText,
  settlementDigest,
  termsWire,
} from '@svc/protocol'
import type { Address } from 'viem'
import * as z from 'zod/mini'
import type { Markets } from '../market.ts'
import type { Line } from './line.ts'
import { textLines } from './textLines.ts'

/** The terms that a worker agrees to by claiming, as the chain has them, with the digest that names them. */
export interface ClaimTerms {
  settlementDigest: string
  json: { terms: unknown; untrustedText: string | null }
  lines: Line[]
}

/** Reads the terms of a task and makes the digest that binds this wallet to them. Throws `UnknownTaskError`. */
export async function readClaimTerms(
  { reader, deployments }: Markets,
  taskId: string,
  worker: Address,
): Promise<ClaimTerms> {
  const id = parseTaskId(taskId)
  const { detail } = await reader.getTask(id.market, id.number)
  if (!detail) throw new UnknownTaskError(id)
  const { terms, text } = detail
  const milestones = terms.amounts.map(
    (amount, index) =>
      `  ${index + 1}. ${formatAmount(amount, 'tok')} within ${formatDuration(terms.durations[index] ?? 0n)}`,
  )
  const words = text === null ? null : readText(text)
  return {
    settlementDigest: settlementDigest(signingContext(deployments, id.market), terms, worker),
    json: { terms: z.encode(termsWire, terms), untrustedText: text },
    lines: [
      { heading: 'The terms you agree to, as the chain has them' },
      `  Poster ${terms.poster}`,
      ...milestones,
      `  Reviewed within ${formatDuration(terms.reviewWindow)}, at most ${terms.maxRevisions} revisions of a milestone`,
      `  To be claimed by ${formatTime(terms.claimDeadline)}`,
      ...(words ? [...textLines(words)] : []),
      '',
    ],
  }
}
