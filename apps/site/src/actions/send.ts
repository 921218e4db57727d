import type { PreparedJson } from '@svc/protocol/http'
import type { Address, Hex } from 'viem'
import { awaitReceipt, trackCalls } from './track.ts'
import { addTransaction, changeTransaction } from './transactions.ts'

/** A wallet as EIP-1193 has it. */
export interface WalletProvider {
  request: (call: { method: string; params?: readonly unknown[] }) => Promise<unknown>
}

/**
 * Has a wallet sign what was prepared: as one confirmation where it can (EIP-5792), else one transaction after the other. What
 * becomes of it is noted under the answered id, also when the page is gone meanwhile.
 */
export async function send(provider: WalletProvider, prepared: PreparedJson): Promise<string> {
  const { action, summary, market, taskId, from, calls } = prepared
  const id = crypto.randomUUID()
  addTransaction({
    id,
    action,
    summary,
    market,
    taskId,
    from: from as Address,
    input: plainInput(prepared),
    stage: 'signing',
    hashes: [],
    calls: calls.length,
    began: Date.now(),
  })
  try {
    if (await canBatch(provider, prepared)) await sendAsOne(provider, prepared, id)
    else await sendOneByOne(provider, prepared, id)
  } catch (error) {
    changeTransaction(id, endOf(error))
  }
  return id
}

/** The short values of the action itself. */
function plainInput({ decoded }: PreparedJson): Record<string, string> {
  const short = (decoded.at(-1)?.args ?? []).filter(({ value }) => /^"[^"]{0,80}"$/.test(value))
  return Object.fromEntries(short.map(({ name, value }) => [name, JSON.parse(value) as string]))
}

async function canBatch(provider: WalletProvider, { from, chainId, calls }: PreparedJson): Promise<boolean> {
  if (calls.length === 1) return false
  const found = await provider
    .request({ method: 'wallet_getCapabilities', params: [from, [chainId]] })
    .catch(() => null)
  const atomic = (found as Record<string, { atomic?: { status?: string } }> | null)?.[chainId]?.atomic?.status
  return atomic === 'supported' || atomic === 'ready'
}

async function sendAsOne(provider: WalletProvider, prepared: PreparedJson, id: string): Promise<void> {
  const { version, from, chainId, atomicRequired, calls } = prepared
  const params = [{ version, from, chainId, atomicRequired, calls }]
  const sent = (await provider.request({ method: 'wallet_sendCalls', params })) as { id: string }
  changeTransaction(id, { stage: 'sent', callsId: sent.id })
  await trackCalls(provider, id, sent.id)
}

async function sendOneByOne(provider: WalletProvider, { from, calls }: PreparedJson, id: string): Promise<void> {
  const hashes: Hex[] = []
  for (const { to, data, value } of calls) {
    const hash = (await provider.request({ method: 'eth_sendTransaction', params: [{ from, to, data, value }] })) as Hex
    hashes.push(hash)
    changeTransaction(id, { stage: 'sent', hashes: [...hashes] })
    // The next call needs what this one allows.
    const isGood = await awaitReceipt(provider, id, hash, hashes.length === calls.length)
    if (!isGood) return
    if (hashes.length < calls.length) changeTransaction(id, { stage: 'signing' })
  }
}

/** What a refusal of the wallet means. */
function endOf(error: unknown): { stage: 'rejected' | 'failed'; problem: string } {
  const { code, message = '' } = (error ?? {}) as { code?: number; message?: string }
  if (code === 4001) {
    return { stage: 'rejected', problem: 'You said no in the wallet. Nothing was sent; you can start again.' }
  }
  if (/insufficient funds/i.test(message)) {
    return {
      stage: 'failed',
      problem: 'The wallet has too little ETH for the fee of the network. Add some, then try again.',
    }
  }
  if (code === 4100 || code === 4900 || code === 4901) {
    return { stage: 'failed', problem: 'The wallet is not connected to this chain. Connect it again, then try again.' }
  }
  return {
    stage: 'failed',
    problem: `The wallet refused: ${message.split('\n')[0]?.slice(0, 200) || 'without a reason'}.`,
  }
}
