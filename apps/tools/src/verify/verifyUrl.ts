import { RpcRefusal } from '@svc/chain'
import { formatTime } from '@svc/protocol'
import { type Difference, questionOf, task, type Verdict, verifyAnswer } from '@svc/reads'
import type { Markets } from '../market.ts'
import { untrustedLine } from '../untrusted.ts'
import type { Report } from './report.ts'

/**
 * Holds an answer against the chain at the block that it names; that of a single task against a proof as well, unless the
 * provider gives none.
 */
export async function verifyUrl(url: URL, body: unknown, markets: Markets): Promise<Report> {
  const read = await verifyAnswer(url, body, markets)
  const isTask = questionOf(url.pathname)?.row === task
  const proven = isTask && read.equal ? await prove(url, body, markets) : null
  const verdict = proven && 'equal' in proven ? proven : read
  return {
    isTrue: verdict.equal,
    lines: [...linesOf(verdict), ...(proven ? proofLines(proven) : [])],
    json: { ...jsonOf(verdict), proven: proven !== null && 'equal' in proven && proven.equal },
  }
}

/** Whoever gives no proofs is not a liar for that. One who gives false ones is. */
async function prove(url: URL, body: unknown, markets: Markets): Promise<Verdict | { refused: string }> {
  return verifyAnswer(url, body, markets, { proof: true }).catch((error: unknown) => {
    if (error instanceof RpcRefusal) return { refused: error.message }
    throw error
  })
}

function linesOf({ equal, compared, block, differences, more, notFromChain }: Verdict): string[] {
  const at = `at block ${block.number} (${block.hash}, ${formatTime(block.timestamp)})`
  const all = differences.length + more
  return [
    equal ? `equal: ${compared} fields ${at}` : `different: ${all} of ${compared} fields ${at}`,
    ...differences.map(lineOf),
    ...(more > 0 ? [`  and ${more} more`] : []),
    ...notFromChain.map((path) => `  ${path}: no chain can tell`),
  ]
}

function lineOf({ path, said, chain }: Difference): string {
  return `  ${untrustedLine(path) || 'the whole answer'}: the answer says ${shown(said)}, the chain says ${shown(chain)}`
}

function proofLines(proven: Verdict | { refused: string }): string[] {
  if ('refused' in proven) return [`not proven: ${proven.refused}`]
  if (!proven.equal) return ['The provider itself said what the answer says: the proof shows that both are wrong.']
  return [
    `proven: by eth_getProof against the state root of that block, but for ${proven.notProven.join(' and ')}`,
    `trusted: that ${proven.block.hash} is a block of the chain, which any other node tells`,
  ]
}

const shown = (value: unknown) => (value === undefined ? 'nothing' : untrustedLine(JSON.stringify(value), 200))

function jsonOf({ equal, compared, block, differences, more, notProven, notFromChain }: Verdict) {
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
