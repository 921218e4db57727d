import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { type DevnetClient, waitForReceipt } from '@svc/devnet'
import type { SafeCall } from '@svc/protocol/internal/steps'
import {
  type Abi,
  type Address,
  concat,
  encodeDeployData,
  encodeFunctionData,
  encodePacked,
  getContractAddress,
  type Hex,
  type LocalAccount,
  parseAbi,
  size,
  zeroAddress,
} from 'viem'
import { z } from 'zod'

const safeAbi = parseAbi([
  'function setup(address[] owners, uint256 threshold, address to, bytes data, address fallbackHandler, address paymentToken, uint256 payment, address paymentReceiver)',
  'function nonce() view returns (uint256)',
  'function execTransaction(address to, uint256 value, bytes data, uint8 operation, uint256 safeTxGas, uint256 baseGas, uint256 gasPrice, address gasToken, address refundReceiver, bytes signatures) returns (bool)',
  'function multiSend(bytes transactions)',
])
const types = {
  SafeTx: [
    { name: 'to', type: 'address' },
    { name: 'value', type: 'uint256' },
    { name: 'data', type: 'bytes' },
    { name: 'operation', type: 'uint8' },
    { name: 'safeTxGas', type: 'uint256' },
    { name: 'baseGas', type: 'uint256' },
    { name: 'gasPrice', type: 'uint256' },
    { name: 'gasToken', type: 'address' },
    { name: 'refundReceiver', type: 'address' },
    { name: 'nonce', type: 'uint256' },
  ],
} as const

const artifactShape = z.object({ abi: z.array(z.unknown()), bytecode: z.string().regex(/^0x[0-9a-f]+$/) })

/** Reads the creation code of one of the Safe's own contracts. */
function readArtifact(path: string): { abi: Abi; bytecode: Hex } {
  const file = createRequire(import.meta.url).resolve(
    `@safe-global/safe-contracts/build/artifacts/contracts/${path}.json`,
  )
  const { abi, bytecode } = artifactShape.parse(JSON.parse(readFileSync(file, 'utf8')))
  return { abi: abi as Abi, bytecode: bytecode as Hex }
}

/** A Safe on the local chain, with the contracts that Safes have everywhere. */
export interface LocalSafe {
  address: Address
  owners: readonly LocalAccount[]
  /** Executes calls as one transaction, signed by as many owners as it needs. Returns its gas. */
  execute: (calls: readonly SafeCall[]) => Promise<bigint>
}

/** Sends a transaction of any size, and waits for it. */
export async function sendLarge(client: DevnetClient, account: LocalAccount, call: { to?: Address; data: Hex }) {
  const hash = await client.sendTransaction({ account, gas: 29_000_000n, ...call })
  const receipt = await waitForReceipt(client, hash)
  if (receipt.status !== 'success') throw new Error(`${hash} reverted.`)
  return receipt
}

/** Deploys the Safe's contracts, and returns what creates Safes. */
export async function deploySafes(client: DevnetClient, payer: LocalAccount) {
  const deploy = async (path: string) => {
    const nonce = await client.getTransactionCount({ address: payer.address })
    await sendLarge(client, payer, { data: encodeDeployData(readArtifact(path)) })
    return getContractAddress({ from: payer.address, nonce: BigInt(nonce) })
  }
  const singleton = await deploy('Safe.sol/Safe')
  const multiSend = await deploy('libraries/MultiSendCallOnly.sol/MultiSendCallOnly')
  const proxy = readArtifact('proxies/SafeProxy.sol/SafeProxy')

  return async (owners: readonly LocalAccount[], threshold: number): Promise<LocalSafe> => {
    const nonce = await client.getTransactionCount({ address: payer.address })
    await sendLarge(client, payer, { data: encodeDeployData({ ...proxy, args: [singleton] }) })
    const address = getContractAddress({ from: payer.address, nonce: BigInt(nonce) })
    const setup = encodeFunctionData({
      abi: safeAbi,
      functionName: 'setup',
      args: [
        owners.map((owner) => owner.address),
        BigInt(threshold),
        zeroAddress,
        '0x',
        zeroAddress,
        zeroAddress,
        0n,
        zeroAddress,
      ],
    })
    await sendLarge(client, payer, { to: address, data: setup })
    const execute = async (calls: readonly SafeCall[]) => {
      const packed = calls.map(({ to, data }) =>
        encodePacked(['uint8', 'address', 'uint256', 'uint256', 'bytes'], [0, to, 0n, BigInt(size(data)), data]),
      )
      const data = encodeFunctionData({ abi: safeAbi, functionName: 'multiSend', args: [concat(packed)] })
      const safeTx = { to: multiSend, value: 0n, data, operation: 1, safeTxGas: 0n, baseGas: 0n, gasPrice: 0n }
      const rest = { gasToken: zeroAddress, refundReceiver: zeroAddress } as const
      const message = {
        ...safeTx,
        ...rest,
        nonce: await client.readContract({ address, abi: safeAbi, functionName: 'nonce' }),
      }
      const domain = { chainId: client.chain.id, verifyingContract: address }
      const signers = owners
        .slice(0, threshold)
        .toSorted((a, b) => (a.address.toLowerCase() < b.address.toLowerCase() ? -1 : 1))
      const signatures = await Promise.all(
        signers.map((owner) => owner.signTypedData({ domain, types, primaryType: 'SafeTx', message })),
      )
      const call = encodeFunctionData({
        abi: safeAbi,
        functionName: 'execTransaction',
        args: [multiSend, 0n, data, 1, 0n, 0n, 0n, zeroAddress, zeroAddress, concat(signatures)],
      })
      const { gasUsed } = await sendLarge(client, payer, { to: address, data: call })
      return gasUsed
    }
    return { address, owners, execute }
  }
}
