import { parseTaskId } from '@svc/protocol'
import { verifyAgreement } from '@svc/protocol/negotiation'
import type { Hex } from 'viem'
import type { Markets } from '../market.ts'
import { readTextFile } from '../negotiate/parseArguments.ts'
import { describeAgreement } from './describeAgreement.ts'
import type { Report } from './report.ts'

/**
 * Verifies an agreement file. If it names a task and the markets are configured, it also compares the digest of that task on
 * chain. Throws the errors of `verifyAgreement`.
 */
export async function verifyFile(file: string, digest: Hex | undefined, markets: Markets | null): Promise<Report> {
  const agreement = await verifyAgreement(await readTextFile(file), { digest })
  const { settlementDigest, poster, worker, phase, length, head, taskId } = agreement
  const json = { settlementDigest, poster, worker, phase, length, head, taskId, digestGiven: digest !== undefined }
  const lines = describeAgreement(agreement, digest)
  if (taskId === null || !markets) return { isTrue: true, lines, json }
  const { market, number } = parseTaskId(taskId)
  const { detail, block } = await markets.reader.getTaskSummary(market, number)
  const chain = detail?.task.settlementDigest ?? null
  const isSame = chain === settlementDigest
  return {
    isTrue: isSame,
    lines: [
      ...lines,
      isSame
        ? `Task ${taskId} has this digest on the chain, at block ${block.number}.`
        : `Task ${taskId} ${chain ? `has another digest on the chain: ${chain}` : 'is not on the chain'}, at block ${block.number}.`,
    ],
    json: { ...json, chainDigest: chain, block: { number: Number(block.number), hash: block.hash } },
  }
}
