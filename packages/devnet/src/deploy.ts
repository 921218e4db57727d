import { setTimeout } from 'node:timers/promises'
import { type Deployments, listContracts } from '@svc/chain'
import {
  type Address,
  type Chain,
  type Client,
  getContractAddress,
  type Hex,
  isAddressEqual,
  keccak256,
  type LocalAccount,
  type TransactionReceipt,
  TransactionReceiptNotFoundError,
  type Transport,
} from 'viem'
import {
  call,
  getBlockNumber,
  getChainId,
  getCode,
  getTransactionCount,
  getTransactionReceipt,
  sendTransaction,
} from 'viem/actions'
import { buildSuite, type Creation, DeployError, type SuiteOptions } from './suite.ts'

/** A client of any chain, not only the local one. */
type ChainClient = Client<Transport, Chain>

const receiptPollMs = 50
/** Three minutes. */
const maxReceiptPolls = 3_600

/** What a deployment from an account needs besides the addresses and roles of the suite. */
export interface DeployOptions extends SuiteOptions {
  /** The deployer's nonce before its first deployment. */
  firstNonce?: number
  /** The first block that can contain a log. Default: the current block, or 0 if some contracts are already deployed. */
  startBlock?: number
}

/**
 * Deploys the contracts of both markets and returns their addresses. The contracts refer to each other in their constructors, so
 * the addresses are computed beforehand from the deployer's nonces: do not use that account for anything else. Contracts that
 * are already deployed are verified and skipped, so an interrupted deployment can be continued.
 */
export async function deployContracts(
  client: ChainClient,
  deployer: LocalAccount,
  options: DeployOptions,
  onProgress: (done: number, total: number, name: string) => void = () => {},
): Promise<Deployments> {
  const { firstNonce = 0 } = options
  let nextNonce = firstNonce
  const nextAddress = () => getContractAddress({ from: deployer.address, nonce: BigInt(nextNonce++) })
  const { creations, ...suite } = buildSuite(options, nextAddress)
  const chainId = await getChainId(client)
  const { tokToken, timelock, usdOracle } = options
  for (const [name, address] of Object.entries({ tokToken, timelock, usdOracle })) {
    if (address && !(await getCode(client, { address }))) {
      throw new DeployError(`there is no contract at ${address}, the address given for ${name}`)
    }
  }
  const nonce = await getTransactionCount(client, { address: deployer.address })
  if (nonce < firstNonce)
    throw new DeployError(`the deployer's nonce is ${nonce}, which is below firstNonce ${firstNonce}`)
  const deployed = Math.min(nonce - firstNonce, creations.length)
  const startBlock = options.startBlock ?? (deployed === 0 ? Number(await getBlockNumber(client)) : 0)
  for (const [index, creation] of creations.slice(0, deployed).entries()) {
    await verifyDeployed(client, deployer.address, firstNonce + index, creation)
  }
  for (const [index, creation] of creations.entries()) {
    if (index >= deployed) await deployOne(client, deployer, firstNonce + index, creation)
    onProgress(index + 1, creations.length, creation.name)
  }
  return { chainId, startBlock, ...suite, codeHashes: await readCodeHashes(client, { chainId, startBlock, ...suite }) }
}

/** Reads the hash of the code of every contract, so that apps notice a provider that has other code. */
async function readCodeHashes(client: ChainClient, deployments: Deployments): Promise<Record<Address, Hex>> {
  const hashes = listContracts(deployments).map(async ({ path, address }) => {
    const code = await getCode(client, { address })
    if (!code) throw new DeployError(`the node does not have the code of ${path} at ${address} yet; run it again`)
    return [address, keccak256(code)] as const
  })
  return Object.fromEntries(await Promise.all(hashes))
}

async function deployOne(client: ChainClient, account: LocalAccount, nonce: number, { name, address, data }: Creation) {
  const hash = await sendTransaction(client, { account, chain: client.chain, data, nonce })
  const { status, contractAddress } = await waitForReceipt(client, hash)
  if (status !== 'success') throw new DeployError(`the creation of ${name} in ${hash} failed`)
  if (contractAddress && !isAddressEqual(contractAddress, address)) {
    throw new DeployError(`${name} was deployed at ${contractAddress} instead of ${address}`)
  }
}

/**
 * Polls for a receipt. viem's own wait asks again only when a new block comes: on a chain that mines on demand, none comes,
 * and a receipt that was a moment late was never seen.
 */
async function waitForReceipt(client: ChainClient, hash: Hex): Promise<TransactionReceipt> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await getTransactionReceipt(client, { hash })
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError) || attempt === maxReceiptPolls) throw error
    }
    await setTimeout(receiptPollMs)
  }
}

/** Simulates the creation again and compares the resulting code with the deployed code. */
async function verifyDeployed(client: ChainClient, from: Address, nonce: number, { name, address, data }: Creation) {
  const deployed = await getCode(client, { address })
  if (!deployed) throw new DeployError(`nonce ${nonce} of ${from} was not used to deploy ${name}`)
  const { data: expected } = await call(client, {
    account: from,
    data,
    stateOverride: [
      { address: from, nonce },
      { address, nonce: 0, code: '0x' },
    ],
  })
  if (deployed !== expected) throw new DeployError(`${name} at ${address} is not the contract of this repository`)
}
