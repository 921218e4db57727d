import type { Hex } from 'viem'
import { readStoredRequests } from '../../test/harness/readStoredRequests.ts'
import { waitUntil } from '../shared/replica.ts'
import { expectSame, type FinalState } from './finalState.ts'

/** Checks that the gateway knows the outcome of every request, and that each receipt made exactly one request. */
export async function checkRequests(final: FinalState): Promise<void> {
  const { chain, services, surfaces, tally } = final
  const readStatus = async (id: string) => {
    const response = await fetch(`${services.gatewayUrl}/v1/requests/${id}`)
    return (await response.json()) as { status: string; transactionHashes: Hex[] }
  }
  for (const { id, hash, action } of surfaces.requests) {
    if (!hash) continue
    const receipt = await chain.client.getTransactionReceipt({ hash }).catch(() => null)
    const wanted = receipt ? (receipt.status === 'success' ? 'confirmed' : 'reverted') : null
    let found = await readStatus(id)
    // After a reorganisation, two requests can have reported one transaction. It confirms one of them.
    const twins = surfaces.requests.filter((each) => each.hash === hash && each.id !== id)
    if (twins.length > 0 && wanted === 'confirmed') {
      const confirmed = async () => {
        const all = await Promise.all([id, ...twins.map((twin) => twin.id)].map(readStatus))
        return all.filter(({ status }) => status === 'confirmed').length
      }
      await waitUntil('one of the requests is settled', 10_000, async () => (await confirmed()) > 0).catch(() => {})
      expectSame(final, `the number of confirmed requests of ${action} ${id} and its twins`, await confirmed(), 1)
    } else if (wanted) {
      await waitUntil('the request is settled', 10_000, async () => {
        found = await readStatus(id)
        return found.status === wanted
      }).catch(() => {})
      const isSettled = found.status === wanted || found.status === 'confirmed'
      expectSame(final, `the request of ${action} ${id}`, isSettled ? wanted : found.status, wanted)
    } else if (found.status === 'confirmed') {
      // The same action was sent again, in another transaction.
      const again = await Promise.all(
        found.transactionHashes.map((each) => chain.client.getTransactionReceipt({ hash: each }).catch(() => null)),
      )
      expectSame(
        final,
        `the request of ${action} ${id}`,
        again.some((each) => each?.status === 'success'),
        true,
      )
    } else expectSame(final, `the request of ${action} ${id}`, ['submitted', 'pending'].includes(found.status), true)
    tally.count('gateway', found.status)
  }
  const receipts = new Map<string, Set<string>>()
  for (const { id, receipt } of readStoredRequests(services.stateFile)) {
    if (receipt) receipts.set(receipt.digest, (receipts.get(receipt.digest) ?? new Set()).add(id))
  }
  for (const [digest, ids] of receipts) expectSame(final, `requests of receipt ${digest}`, ids.size, 1)
}
