import { buildPermitTypedData, type Call } from '@svc/protocol/actions'
import type { PermitPlan } from '@svc/protocol/internal/actions'
import {
  type Address,
  encodeFunctionData,
  getTypesForEIP712Domain,
  hexToBigInt,
  hexToNumber,
  isHex,
  parseAbi,
  slice,
  stringify,
} from 'viem'
import { chainId } from '../deployments.ts'
import { isDeclined, type WalletProvider } from '../wallet/provider.ts'
import { parseWalletAnswer } from '../wallet/walletAnswers.ts'

/** How long a permit can be used. */
export const permitMinutes = 30

/**
 * Asks the wallet to sign the allowance of a plan, and returns the call that uses the signature. Null if it does not work with
 * this wallet: then the approval is a transaction of its own. Throws if the user declines.
 */
export async function signPermit(provider: WalletProvider, from: Address, plan: PermitPlan): Promise<Call | null> {
  try {
    const call = plan.buildCall(await requestSignature(provider, from, plan))
    // Tried before it is sent: a wallet may sign in a way that the token does not accept.
    await provider.request({ method: 'eth_call', params: [{ from, to: call.to, data: call.data }, 'latest'] })
    return call
  } catch (error) {
    if (isDeclined(error)) throw error
    return null
  }
}

async function requestSignature(provider: WalletProvider, from: Address, plan: PermitPlan) {
  const data = encodeFunctionData({ abi: noncesAbi, args: [from] })
  const [answer, block] = await Promise.all([
    provider.request({ method: 'eth_call', params: [{ to: plan.tokenAddress, data }, 'latest'] }),
    provider.request({ method: 'eth_getBlockByNumber', params: ['latest', false] }),
  ])
  const latest = parseWalletAnswer('eth_getBlockByNumber', block)
  if (!latest) throw new TypeError('The wallet has no newest block.')
  const deadline = hexToBigInt(latest.timestamp) + BigInt(permitMinutes * 60)
  const nonce = hexToBigInt(parseWalletAnswer('eth_call', answer))
  const typedData = buildPermitTypedData(plan, { chainId, owner: from, nonce, deadline })
  const types = { EIP712Domain: getTypesForEIP712Domain({ domain: typedData.domain }), ...typedData.types }
  const params = [from, stringify({ ...typedData, types })]
  const signature = await provider.request({ method: 'eth_signTypedData_v4', params })
  if (!isHex(signature) || signature.length !== 132) throw new TypeError('The wallet did not sign with a key.')
  const last = hexToNumber(slice(signature, 64))
  // Some wallets count from zero.
  return { deadline, v: last < 27 ? last + 27 : last, r: slice(signature, 0, 32), s: slice(signature, 32, 64) }
}

const noncesAbi = parseAbi(['function nonces(address owner) view returns (uint256)'])
