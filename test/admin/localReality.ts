import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { DevnetClient } from '@svc/devnet'
import { type Address, encodeFunctionData, getContractAddress, type Hex, type LocalAccount, parseAbi } from 'viem'
import { sendLarge } from './localSafe.ts'

export const realityAbi = parseAbi([
  'function createTemplate(string content) returns (uint256)',
  'function submitAnswer(bytes32 questionId, bytes32 answer, uint256 maxPrevious) payable',
  'function getFinalizeTS(bytes32 questionId) view returns (uint32)',
])

/** Puts Reality.eth 3.0, as its authors deployed it, to an address of the local chain. */
export async function putRealityEth(client: DevnetClient, payer: LocalAccount, address: Address): Promise<void> {
  const file = createRequire(import.meta.url).resolve('@reality.eth/contracts/bytecode/RealityETH-3.0.bin')
  const nonce = await client.getTransactionCount({ address: payer.address })
  await sendLarge(client, payer, { data: `0x${readFileSync(file, 'utf8').trim()}` as Hex })
  const code = await client.getCode({ address: getContractAddress({ from: payer.address, nonce: BigInt(nonce) }) })
  await client.setCode({ address, bytecode: code ?? '0x' })
  // Its constructor did not run there.
  const content = '{"title": "%s", "type": "bool", "category": "%s", "lang": "%s"}'
  const data = encodeFunctionData({ abi: realityAbi, functionName: 'createTemplate', args: [content] })
  await sendLarge(client, payer, { to: address, data })
}
