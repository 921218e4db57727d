import type { PreparedJson } from '@svc/operations'
import type { Address, Hex } from 'viem'
import type { WalletProvider } from '../wallet/provider.ts'
import { awaitReceipt, trackCalls } from './track.ts'
import { addTransaction, changeTransaction } from './transactions.ts'

/**
 * Asks the wallet to sign prepared calls: as one batch if it supports EIP-5792, otherwise one transaction after another. The
 * progress is stored under the returned id and survives a reload.
 */
export async function sendPrepared(provider: WalletProvider, prepared: PreparedJson): Promise<string> {
  const { action, title, market, taskId, from, calls } = prepared
  const id = crypto.randomUUID()
  addTransaction({
    id,
    action,
    title,
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
    changeTransaction(id, describeWalletError(error))
  }
  return id
}

/** The short arguments of the last call. */
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
    // The next call needs the approval of this one.
    const isGood = await awaitReceipt(provider, id, hash, hashes.length === calls.length)
    if (!isGood) return
    if (hashes.length < calls.length) changeTransaction(id, { stage: 'signing' })
  }
}

/** Describes an error of the wallet. */
function describeWalletError(error: unknown): { stage: 'rejected' | 'failed'; problem: string } {
  const { code, message = '' } = (error ?? {}) as { code?: number; message?: string }
  if (code === 4001) {
    return {
      stage: 'rejected',
      problem: 'You declined the request in your wallet. Nothing was sent, and you can start again.',
    }
  }
  if (/insufficient funds/i.test(message)) {
    return {
      stage: 'failed',
      problem: 'Your wallet does not have enough ETH for the network fee. Add some, then try again.',
    }
  }
  if (code === 4100 || code === 4900 || code === 4901) {
    return { stage: 'failed', problem: 'Your wallet is not connected to this chain. Connect it again, then try again.' }
  }
  return {
    stage: 'failed',
    problem: `Your wallet rejected the request: ${message.split('\n')[0]?.slice(0, 200) || 'no reason given'}.`,
  }
}
