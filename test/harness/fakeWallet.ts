import type { BrowserContext } from 'playwright-core'
import type { Address } from 'viem'

/** The standards a fake wallet supports: EIP-5792 batches and EIP-6963, EIP-6963 alone, only window.ethereum, or no wallet. */
export type WalletKind = 'eip5792' | 'eip6963' | 'ethereum' | 'none'

export interface FakeWallet {
  kind: WalletKind
  account: Address
  rpcUrl: string
  /** Rejects every confirmation after this many. */
  rejectsAfter?: number
  /** The initial chain. The wallet switches when asked. */
  chainId?: string
  /** Whether it has to be told about every other chain before it switches. */
  knowsOnlyItsChain?: boolean
  /** Whether it lets a paymaster pay the network fee (ERC-7677). */
  sponsors?: boolean
  /** Whether its account is a contract. */
  isContract?: boolean
  /** Whether it signs typed data. */
  signsTypedData?: boolean
  /** Its picture, as a data URL. */
  icon?: string
  name?: string
  /** Answers instead of the chain, unless it returns undefined: for accounts whose keys anvil does not have. */
  answer?: (method: string, params: readonly unknown[]) => Promise<unknown>
}

/** Adds a wallet to every page of a context. Anvil signs, because it has the keys of its accounts. */
export async function installWallet(context: BrowserContext, wallet: FakeWallet): Promise<void> {
  const { rpcUrl, answer, ...known } = wallet
  await context.exposeFunction('fakeRpc', async (method: string, params: unknown[]) => {
    const result = await answer?.(method, params)
    if (result !== undefined) return { result }
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const response = await fetch(rpcUrl, { method: 'POST', headers: { 'content-type': 'application/json' }, body })
    return response.json()
  })
  await context.addInitScript(walletScript, known)
}

/** Runs in the page: a wallet that confirms by itself and records its calls. */
function walletScript({
  kind,
  account,
  rejectsAfter = Infinity,
  chainId = '0x2105',
  knowsOnlyItsChain = false,
  name = 'Fake wallet',
  sponsors = false,
  isContract = false,
  signsTypedData = true,
  icon = '',
}: Omit<FakeWallet, 'rpcUrl' | 'answer'>) {
  const page = globalThis as unknown as {
    fakeRpc: (
      method: string,
      params: unknown[],
    ) => Promise<{ result: unknown; error?: { code: number; message: string } }>
    addEventListener: (name: string, hear: () => void) => void
    dispatchEvent: (event: unknown) => void
    CustomEvent: new (name: string, init: object) => unknown
    /** From now on, every confirmation is accepted. */
    acceptAll: () => void
    walletCalls: { method: string; params: unknown[] }[]
    /** Errors to return instead, by method. Null: never answer. */
    walletFaults: Record<string, { code: number; message: string } | null>
    /** Another account than the first, and the event that announces it. */
    walletAccount?: string
    walletEmit: (name: string, value: unknown) => void
    /** Another chain than the first. */
    walletChain?: string
    ethereum?: unknown
  }
  let chain = chainId
  const known = new Set([chainId])
  let confirmations = 0
  let patience = rejectsAfter
  const batches = new Map<string, string[]>()
  page.walletCalls = []
  page.acceptAll = () => {
    patience = Infinity
  }
  page.walletFaults = {}
  const fail = (code: number, message: string) => Object.assign(new Error(message), { code })
  const rpc = async (method: string, params: unknown[]) => {
    const { result, error } = await page.fakeRpc(method, params)
    if (error) throw fail(error.code, error.message)
    return result
  }
  const confirm = () => {
    if (confirmations++ >= patience) throw fail(4001, 'The user rejected the request.')
  }
  // With explicit gas, a call that will revert is sent nonetheless.
  const sendOne = (call: object) => rpc('eth_sendTransaction', [{ ...call, from: account, gas: '0x4c4b40' }])
  const request = async ({ method, params = [] }: { method: string; params?: unknown[] }) => {
    page.walletCalls.push({ method, params })
    const fault = page.walletFaults[method]
    if (fault) throw fail(fault.code, fault.message)
    if (fault === null) return new Promise(() => {})
    switch (method) {
      case 'eth_requestAccounts':
      case 'eth_accounts':
        return [page.walletAccount ?? account]
      case 'eth_chainId':
        return page.walletChain ?? chain
      case 'wallet_switchEthereumChain':
      case 'wallet_addEthereumChain': {
        const { chainId: asked } = params[0] as { chainId: string }
        if (method === 'wallet_addEthereumChain') known.add(asked)
        if (knowsOnlyItsChain && !known.has(asked)) throw fail(4902, `Unrecognized chain ${asked}.`)
        chain = asked
        page.walletChain = chain
        return null
      }
      case 'eth_sendTransaction':
        confirm()
        return sendOne(params[0] as object)
      case 'eth_getCode':
        return isContract ? '0x60806040' : rpc(method, params)
      case 'eth_signTypedData_v4':
        if (!signsTypedData) throw fail(4200, `${method} is not supported.`)
        confirm()
        return rpc(method, [params[0], JSON.parse(String(params[1]))])
      case 'personal_sign':
        confirm()
        return rpc(method, params)
      case 'wallet_requestPermissions':
        return [{ parentCapability: 'eth_accounts', caveats: [] }]
    }
    if (method.startsWith('eth_')) return rpc(method, params)
    if (kind !== 'eip5792') throw fail(4200, `${method} is not supported.`)
    switch (method) {
      case 'wallet_getCapabilities':
        return {
          [(params[1] as string[])[0] ?? chain]: {
            atomic: { status: 'ready' },
            paymasterService: { supported: sponsors },
          },
        }
      case 'wallet_sendCalls': {
        confirm()
        const { calls } = params[0] as { calls: object[] }
        const hashes: string[] = []
        for (const call of calls) hashes.push((await sendOne(call)) as string)
        const id = `batch-${batches.size + 1}`
        batches.set(id, hashes)
        return { id }
      }
      case 'wallet_getCallsStatus': {
        const receipts = await Promise.all(
          (batches.get(String(params[0])) ?? []).map((hash) => rpc('eth_getTransactionReceipt', [hash])),
        )
        const status = { version: '2.0.0', id: params[0], chainId: chain, atomic: false }
        // A transaction without a receipt is not in a block yet.
        return receipts.includes(null) ? { ...status, status: 100 } : { ...status, status: 200, receipts }
      }
    }
    throw fail(4200, `${method} is not supported.`)
  }
  const listeners = new Map<string, (value: unknown) => void>()
  page.walletEmit = (event, value) => listeners.get(event)?.(value)
  const on = (event: string, hear: (value: unknown) => void) => void listeners.set(event, hear)
  const provider = { request, on, removeListener: () => {} }
  if (kind === 'none') return
  if (kind === 'ethereum') {
    page.ethereum = provider
    return
  }
  const detail = { info: { uuid: `fake-${name}`, name, icon, rdns: 'example.fake' }, provider }
  const announce = () => page.dispatchEvent(new page.CustomEvent('eip6963:announceProvider', { detail }))
  page.addEventListener('eip6963:requestProvider', announce)
  announce()
}
