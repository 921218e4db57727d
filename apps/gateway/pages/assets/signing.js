const statusEveryMs = 1_000
/** The page stops watching after this time; the gateway keeps watching the chain. */
const watchMs = 10 * 60_000

/** Whether the user rejected the request in the wallet. */
export const isRejection = (error) => error?.code === 4001 || error?.cause?.code === 4001

/** What prevents signing with this wallet: the wrong account or chain; null if nothing does. */
export async function obstacle(provider, { from, chainId }) {
  const accounts = await provider.request({ method: 'eth_requestAccounts' })
  if (!accounts.some((each) => same(each, from))) return { kind: 'account', has: accounts[0] ?? null }
  const chain = await provider.request({ method: 'eth_chainId' })
  return Number(chain) === Number(chainId) ? null : { kind: 'chain' }
}

/** Switches the wallet to a chain. A wallet that does not know the chain is told about it, if we can. */
export async function switchTo(provider, chainId, chain) {
  try {
    await provider.request({ method: 'wallet_switchEthereumChain', params: [{ chainId }] })
  } catch (error) {
    const code = error?.data?.originalError?.code ?? error?.code
    if (code !== 4902 || !chain) throw error
    await provider.request({ method: 'wallet_addEthereumChain', params: [chain] })
  }
}

/** Whether the wallet accepts all calls in one confirmation (EIP-5792). */
export async function takesBatches(provider, { from, chainId }) {
  try {
    const answer = await provider.request({ method: 'wallet_getCapabilities', params: [from, [chainId]] })
    return typeof answer === 'object' && answer !== null
  } catch {
    return false
  }
}

/** Sends all calls as one batch and reports the hashes when the wallet knows them. Returns the last status code; null if the wallet cannot send batches. */
export async function sendBatch(provider, batch, onSent, onHashes) {
  const { version, from, chainId, atomicRequired, calls } = batch
  let id
  try {
    const params = [{ version, from, chainId, atomicRequired, calls }]
    const answer = await provider.request({ method: 'wallet_sendCalls', params })
    id = typeof answer === 'string' ? answer : answer.id
  } catch (error) {
    // Unknown method or unsupported capability: nothing was sent.
    if (![4200, -32601, 5700].includes(error?.code)) throw error
    return null
  }
  onSent(id)
  let code = 100
  for (const end = Date.now() + watchMs; Date.now() < end; await pause(statusEveryMs)) {
    const state = await provider.request({ method: 'wallet_getCallsStatus', params: [id] }).catch(() => null)
    const hashes = [...new Set((state?.receipts ?? []).map(({ transactionHash }) => transactionHash))]
    if (hashes.length > 0) onHashes(hashes)
    code = Number(state?.status ?? 100)
    if (code >= 200) break
  }
  return code
}

/** Sends the calls one by one, each after the previous one is mined. Appends each hash to `sent`. */
export async function sendOneByOne(provider, { from, calls }, sent, onStep, onHashes) {
  while (sent.length < calls.length) {
    const { to, value, data } = calls[sent.length]
    onStep(sent.length + 1)
    const hash = await provider.request({ method: 'eth_sendTransaction', params: [{ from, to, value, data }] })
    sent.push(hash)
    onHashes([...sent])
    if (sent.length < calls.length && !(await succeeds(provider, hash))) return false
  }
  return true
}

/** Waits for a transaction's receipt and returns whether it succeeded. */
async function succeeds(provider, hash) {
  for (const end = Date.now() + watchMs; Date.now() < end; await pause(statusEveryMs / 2)) {
    const receipt = await provider.request({ method: 'eth_getTransactionReceipt', params: [hash] }).catch(() => null)
    if (receipt) return Number(receipt.status) === 1
  }
  return false
}

const same = (a, b) => String(a).toLowerCase() === String(b).toLowerCase()
const pause = (ms) => new Promise((done) => setTimeout(done, ms))
