import { type Hex, keccak256 } from 'viem'
import type { Deployments } from './deployments.ts'
import { ChainReadError } from './errors.ts'
import type { Rpc } from './rpc.ts'
import { type DeployedContract, findWrongCode, listContracts } from './verifyDeployments.ts'

/** Which contracts to look at. The registries are enough to know a chain: their code names the contracts that they work with. */
export type CheckedContracts = 'all' | 'registries'

/** Calls of one check at the same time: providers limit calls per second. */
const maxCalls = 4

/**
 * Checks that a provider is on the chain of a deployment and has the code of its contracts. Throws `WrongChainError` if not,
 * and another `ChainReadError` if the provider does not say.
 */
export async function checkChain(rpc: Rpc, deployments: Deployments, which: CheckedContracts): Promise<void> {
  const contracts = listContracts(deployments).filter(({ name }) => which === 'all' || name === 'taskRegistry')
  const id = Number(await rpc.request('eth_chainId', []))
  if (!Number.isSafeInteger(id))
    throw new ChainReadError(`${rpc.name} answered eth_chainId with something other than a number.`, {
      retryable: true,
    })
  if (id !== deployments.chainId)
    throw new WrongChainError(rpc.name, `it is on chain ${id}, but the contracts are on chain ${deployments.chainId}`)
  for (let at = 0; at < contracts.length; at += maxCalls) {
    await Promise.all(contracts.slice(at, at + maxCalls).map((contract) => checkCode(rpc, deployments, contract)))
  }
}

async function checkCode(rpc: Rpc, deployments: Deployments, contract: DeployedContract): Promise<void> {
  const { path, address } = contract
  const code = await rpc.request('eth_getCode', [address, 'latest'])
  if (!isHexData(code))
    throw new ChainReadError(`${rpc.name} answered eth_getCode with something other than code.`, { retryable: true })
  if (code === '0x') throw new WrongChainError(rpc.name, `it has no contract at ${address}, the address of ${path}`)
  const known = findCodeHash(deployments, contract)
  if (!known) {
    const fault = findWrongCode(contract, code, deployments)
    if (fault) throw new WrongChainError(rpc.name, fault)
  } else if (keccak256(code) !== known) {
    throw new WrongChainError(rpc.name, `its code of ${path} at ${address} is not the one that was deployed`)
  }
}

function findCodeHash({ codeHashes = {} }: Deployments, { address }: DeployedContract): string | undefined {
  const wanted = address.toLowerCase()
  return Object.entries(codeHashes)
    .find(([each]) => each.toLowerCase() === wanted)?.[1]
    .toLowerCase()
}

const isHexData = (value: unknown): value is Hex => typeof value === 'string' && /^0x([0-9a-f]{2})*$/i.test(value)

/** A provider is on another chain, or has other code than the contracts. Another provider may be right. */
export class WrongChainError extends ChainReadError {
  override name = 'WrongChainError'
  readonly reason: string

  constructor(provider: string, reason: string) {
    super(`${provider} is refused: ${reason}. Check CHAIN_RPC_URL and SVC_DEPLOYMENTS.`, { retryable: true })
    this.reason = reason
  }
}
