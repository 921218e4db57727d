import { createRequire } from 'node:module'
import { accounts, type DevnetClient, sendTransaction, waitForReceipt } from '@svc/devnet'
import { create2Deployer } from '@svc/protocol/internal/base'
import { type Address, concat, encodeFunctionData, type Hex, type PrivateKeyAccount, parseAbi, zeroHash } from 'viem'

/** The account of the ERC-4337 authors, at the address that it has on every chain. */
const implementation: Address = '0xe6Cae83BdE06E4c305530e199D7217f42808555B'
const batchAbi = parseAbi(['function executeBatch((address target, uint256 value, bytes data)[] calls)'])

/** Deploys the code that wallets delegate to. Its bytecode is in an npm package of `packages/devnet`. */
export async function deployBatchAccount(client: DevnetClient): Promise<void> {
  const require = createRequire(new URL('../../packages/devnet/src/pool.ts', import.meta.url))
  const { bytecode }: { bytecode: Hex } = require('@account-abstraction/contracts/artifacts/Simple7702Account.json')
  await sendTransaction(client, accounts.guardian, { to: create2Deployer, data: concat([zeroHash, bytecode]) })
  if (!(await client.getCode({ address: implementation }))) throw new Error(`There is no code at ${implementation}.`)
}

/** What `wallet_sendCalls` with `atomicRequired` does in an account that is upgraded by EIP-7702: one transaction to itself. */
export async function sendBatch(
  client: DevnetClient,
  account: PrivateKeyAccount,
  calls: readonly { to: string; value: string; data: string }[],
): Promise<{ ok: boolean; gas: bigint }> {
  const data = encodeFunctionData({
    abi: batchAbi,
    args: [calls.map(({ to, value, data }) => ({ target: to as Address, value: BigInt(value), data: data as Hex }))],
  })
  const isUpgraded = Boolean(await client.getCode({ address: account.address }))
  const authorizationList = isUpgraded
    ? []
    : [await client.signAuthorization({ account, contractAddress: implementation, executor: 'self' })]
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
