import { createRequire } from 'node:module'
import { accounts, type DevnetClient, sendTransaction, waitForReceipt } from '@svc/devnet'
import { create2Deployer } from '@svc/protocol/internal/base'
import { type Address, concat, encodeFunctionData, type Hex, type PrivateKeyAccount, parseAbi, zeroHash } from 'viem'

/** The account of the ERC-4337 authors, at the address that it has on every chain. */
export const batchImplementation: Address = '0xe6Cae83BdE06E4c305530e199D7217f42808555B'
const batchAbi = parseAbi(['function executeBatch((address target, uint256 value, bytes data)[] calls)'])

/** Loads what only `packages/devnet` depends on. */
export const requireOfDevnet = createRequire(new URL('../../packages/devnet/src/pool.ts', import.meta.url))

/** Deploys the code that wallets delegate to. Its bytecode is in an npm package of `packages/devnet`. */
export async function deployBatchAccount(client: DevnetClient): Promise<void> {
  const { bytecode }: { bytecode: Hex } = requireOfDevnet(
    '@account-abstraction/contracts/artifacts/Simple7702Account.json',
  )
  await sendTransaction(client, accounts.guardian, { to: create2Deployer, data: concat([zeroHash, bytecode]) })
  if (!(await client.getCode({ address: batchImplementation })))
    throw new Error(`There is no code at ${batchImplementation}.`)
}

/** Encodes calls as the account makes them, all or none. */
export const encodeBatch = (calls: readonly { to: string; value: string; data: string }[]): Hex =>
  encodeFunctionData({
    abi: batchAbi,
    args: [calls.map(({ to, value, data }) => ({ target: to as Address, value: BigInt(value), data: data as Hex }))],
  })

/** What `wallet_sendCalls` with `atomicRequired` does in an account that is upgraded by EIP-7702: one transaction to itself. */
export async function sendBatch(
  client: DevnetClient,
  account: PrivateKeyAccount,
  calls: readonly { to: string; value: string; data: string }[],
): Promise<{ ok: boolean; gas: bigint }> {
  const data = encodeBatch(calls)
  const isUpgraded = Boolean(await client.getCode({ address: account.address }))
  const authorizationList = isUpgraded
    ? []
    : [await client.signAuthorization({ account, contractAddress: batchImplementation, executor: 'self' })]
  const hash = await client.sendTransaction({
    account,
    to: account.address,
    data,
    gas: 3_000_000n,
    ...(authorizationList.length > 0 && { authorizationList, type: 'eip7702' }),
  })
  const { status, gasUsed } = await waitForReceipt(client, hash)
  return { ok: status === 'success', gas: gasUsed }
}
