import { readFile } from 'node:fs/promises'
import type { Hex } from 'viem'
import { settled } from '../service/replica.ts'
import { demandSame, type Final } from './verdict.ts'

/** Whether the gateway says of every request what became of it on the chain, and made one of each receipt. */
export async function judgeRequests(final: Final): Promise<void> {
  const { chain, crew, surfaces, tally } = final
  const statusOf = async (id: string) => {
    const response = await fetch(`${crew.gatewayUrl}/v1/requests/${id}`)
    return (await response.json()) as { status: string; transactionHashes: Hex[] }
  }
  for (const { id, hash, action } of surfaces.kept) {
    if (!hash) continue
    const receipt = await chain.client.getTransactionReceipt({ hash }).catch(() => null)
    const wanted = receipt ? (receipt.status === 'success' ? 'confirmed' : 'reverted') : null
    let found = await statusOf(id)
    if (wanted) {
      await settled('the request is settled', 10_000, async () => {
        found = await statusOf(id)
        return found.status === wanted
      }).catch(() => {})
      const isSettled = found.status === wanted || found.status === 'confirmed'
      demandSame(final, `the request of ${action} ${id}`, isSettled ? wanted : found.status, wanted)
    } else if (found.status === 'confirmed') {
      // The same deed was done again, by another transaction.
      const again = await Promise.all(
        found.transactionHashes.map((each) => chain.client.getTransactionReceipt({ hash: each }).catch(() => null)),
      )
      demandSame(
        final,
        `the request of ${action} ${id}`,
        again.some((each) => each?.status === 'success'),
        true,
      )
    } else demandSame(final, `the request of ${action} ${id}`, ['submitted', 'pending'].includes(found.status), true)
    tally.count('gateway', found.status)
  }
  const lines = (await readFile(crew.stateFile, 'utf8')).trimEnd().split('\n')
  const receipts = new Map<string, Set<string>>()
  for (const line of lines) {
    const { id, receipt } = JSON.parse(line) as { id: string; receipt: { digest: string } | null }
    if (receipt) receipts.set(receipt.digest, (receipts.get(receipt.digest) ?? new Set()).add(id))
  }
  for (const [digest, ids] of receipts) demandSame(final, `requests of receipt ${digest}`, ids.size, 1)
}
