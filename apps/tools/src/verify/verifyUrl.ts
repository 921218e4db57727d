import { RpcResponseError } from '@svc/chain'
import { formatTime } from '@svc/protocol'
import { type Difference, findRead, reads, type Verdict, verifyAnswer } from '@svc/reads'
import type { Markets } from '../market.ts'
import { cleanUntrustedLine } from '../untrusted.ts'
import type { Report } from './report.ts'

/**
 * Compares a response with the chain at the block that it names. The response for a single task is also checked with a proof,
 * unless the provider does not support proofs.
 */
export async function verifyUrl(url: URL, body: unknown, markets: Markets): Promise<Report> {
  const read = await verifyAnswer(url, body, markets)
  const isTask = findRead(url.pathname)?.handler === reads.getTask
  const proven = isTask && read.equal ? await prove(url, body, markets) : null
  const verdict = proven && 'equal' in proven ? proven : read
  return {
    isTrue: verdict.equal,
    lines: [...formatVerdict(verdict), ...(proven ? proofLines(proven) : [])],
    json: { ...verdictToJson(verdict), proven: proven !== null && 'equal' in proven && proven.equal },
  }
}

/** A provider without proofs is fine. A provider with wrong proofs is not. */
async function prove(url: URL, body: unknown, markets: Markets): Promise<Verdict | { refused: string }> {
  return verifyAnswer(url, body, markets, { proof: true }).catch((error: unknown) => {
    if (error instanceof RpcResponseError) return { refused: error.message }
    throw error
  })
}

function formatVerdict({ equal, compared, block, differences, more, notFromChain }: Verdict): string[] {
  const at = `at block ${block.number} (${block.hash}, ${formatTime(block.timestamp)})`
  const all = differences.length + more
  return [
    equal ? `equal: ${compared} fields ${at}` : `different: ${all} of ${compared} fields ${at}`,
    ...differences.map(formatDifference),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...notFromChain.map((path) => `  ${path}: cannot be verified on chain`),
  ]
}

function formatDifference({ path, said, chain }: Difference): string {
  return `  ${cleanUntrustedLine(path) || 'the whole response'}: the response says ${shown(said)}, the chain says ${shown(chain)}`
}

function proofLines(proven: Verdict | { refused: string }): string[] {
  if ('refused' in proven) return [`not proven: ${proven.refused}`]
  if (!proven.equal) return ['The provider itself said what the answer says: the proof shows that both are wrong.']
  return [
    `proven: by eth_getProof against the state root of that block, but for ${proven.notProven.join(' and ')}`,
    `trusted: that ${proven.block.hash} is a block of the chain, which any other node tells`,
  ]
}

const shown = (value: unknown) => (value === undefined ? 'nothing' : cleanUntrustedLine(JSON.stringify(value), 200))

function verdictToJson({ equal, compared, block, differences, more, notProven, notFromChain }: Verdict) {
  return {
    equal,
    compared,
    block: { number: Number(block.number), hash: block.hash, timestamp: block.timestamp },
    differences,
    more,
    notProven,
    notFromChain,
  }
}
