import { type Address, decodeFunctionResult, encodeFunctionData, isHex, namehash, parseAbi } from 'viem'
import type { WalletProvider } from '../wallet/provider.ts'

const abi = parseAbi(['function name(bytes32 node) view returns (string)'])

/**
 * Asks the chain, through the wallet, for the basename of a wallet; null if there is none or nobody answers. Whoever has the wallet chose
 * it, so it is a suggestion and proves nothing.
 */
export async function readBasename(
  provider: WalletProvider,
  resolver: Address,
  wallet: Address,
): Promise<string | null> {
  // The coin type of Base (ENSIP-11), below which its addresses have their names.
  const node = namehash(`${wallet.slice(2).toLowerCase()}.80002105.reverse`)
  const data = encodeFunctionData({ abi, functionName: 'name', args: [node] })
  try {
    const answer = await provider.request({ method: 'eth_call', params: [{ to: resolver, data }, 'latest'] })
    return isHex(answer) ? decodeFunctionResult({ abi, functionName: 'name', data: answer }) || null : null
  } catch {
    return null
  }
}
