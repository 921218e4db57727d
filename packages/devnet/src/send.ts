import { SvcError } from '@svc/protocol'
import {
  arbitrationAbi,
  depositVaultAbi,
  escrowVaultAbi,
  paymentGatewayAbi,
  pricingPolicyAbi,
  stakingVaultAbi,
  taskRegistryAbi,
  taskScopeRegistryAbi,
  tokTokenAbi,
  usdOracleAbi,
} from '@svc/protocol/abis'
import {
  type Abi,
  type Address,
  BaseError,
  type ContractFunctionArgs,
  type ContractFunctionName,
  ContractFunctionRevertedError,
  encodeFunctionData,
  getContractError,
  type Hex,
  type LocalAccount,
  parseGwei,
  type TransactionReceipt,
  WaitForTransactionReceiptTimeoutError,
} from 'viem'
import { timelockControllerAbi } from './abis/timelockController.ts'
import type { DevnetClient } from './client.ts'

type Writes = 'nonpayable' | 'payable'

/** A write call of a contract. */
export interface Call<
  abi extends Abi = Abi,
  name extends ContractFunctionName<abi, Writes> = ContractFunctionName<abi, Writes>,
> {
  address: Address
  abi: abi
  functionName: name
  args: ContractFunctionArgs<abi, Writes, name>
}

/** A call whose types were checked where it was made. */
interface AnyCall {
  address: Address
  abi: Abi
  functionName: string
  args: readonly unknown[]
}

/** Sends a call and waits for the receipt. Throws `CallRevertedError` with the custom error's name and arguments if it reverts. */
export function sendCall<const abi extends Abi, name extends ContractFunctionName<abi, Writes>>(
  client: DevnetClient,
  account: LocalAccount,
  call: Call<abi, name>,
): Promise<TransactionReceipt>
export async function sendCall(
  client: DevnetClient,
  account: LocalAccount,
  call: AnyCall,
): Promise<TransactionReceipt> {
  const data = encodeFunctionData(call)
  try {
    return await sendTransaction(client, account, { to: call.address, data })
  } catch (error) {
    throw toRevertError(error, call)
  }
}

/** Sends a transaction and waits for the receipt. */
export async function sendTransaction(
  client: DevnetClient,
  account: LocalAccount,
  transaction: { to: Address; data: Hex },
): Promise<TransactionReceipt> {
  // Simulate first: this returns the reason of a revert and is cheaper than a gas estimate.
  const [serializedTransaction] = await Promise.all([
    signTransaction(client, account, transaction),
    client.call({ account, ...transaction }),
  ])
  return client.sendRawTransactionSync({ serializedTransaction, throwOnReceiptRevert: true })
}

/**
 * Waits for the receipt of a transaction. Anvil mines a transaction when it arrives, but one that arrives while a block is being made
 * can stay in the pool until the next block, so a block is mined for it.
 */
export async function waitForReceipt(client: DevnetClient, hash: Hex): Promise<TransactionReceipt> {
  for (let tries = 0; tries < 60; tries++) {
    const receipt = await client
      .waitForTransactionReceipt({ hash, pollingInterval: 50, timeout: 2_000 })
      .catch((error) => {
        if (error instanceof WaitForTransactionReceiptTimeoutError) return null
        throw error
      })
    if (receipt) return receipt
    await client.mine({ blocks: 1 })
  }
  throw new Error(`${hash} is in no block.`)
}

/**
 * Signs the account's next transaction; without `to`, a contract creation. Ether is free on the local chain, so gas is not
 * estimated: the default is more than twice what any call of our contracts needs.
 */
export async function signTransaction(
  client: DevnetClient,
  account: LocalAccount,
  transaction: { to?: Address; data: Hex; gas?: bigint; nonce?: number },
): Promise<Hex> {
  const nonce = transaction.nonce ?? (await client.getTransactionCount({ address: account.address }))
  const fees = { maxFeePerGas: parseGwei('100'), maxPriorityFeePerGas: 1n }
  return account.signTransaction({
    chainId: client.chain.id,
    type: 'eip1559',
    nonce,
    gas: 5_000_000n,
    ...fees,
    ...transaction,
  })
}

/** Custom errors of all contracts. A call often reverts with the error of another contract behind it. */
const errors = [
  taskRegistryAbi,
  arbitrationAbi,
  depositVaultAbi,
  escrowVaultAbi,
  paymentGatewayAbi,
  pricingPolicyAbi,
  stakingVaultAbi,
  taskScopeRegistryAbi,
  tokTokenAbi,
  usdOracleAbi,
  timelockControllerAbi,
].flatMap((abi: Abi) => abi.filter((entry) => entry.type === 'error'))

function toRevertError(error: unknown, call: AnyCall): unknown {
  if (!(error instanceof BaseError)) return error
  const decoded = getContractError(error, {
    abi: errors,
    address: call.address,
    args: call.args,
    functionName: call.functionName,
  })
  const reverted = decoded.walk((cause) => cause instanceof ContractFunctionRevertedError)
  if (!(reverted instanceof ContractFunctionRevertedError) || !reverted.data) return error
  return new CallRevertedError(call.functionName, reverted.data.errorName, reverted.data.args ?? [], error)
}

/** A contract call reverted. */
export class CallRevertedError extends SvcError {
  override name = 'CallRevertedError'
  readonly errorName: string
  readonly args: readonly unknown[]

  constructor(functionName: string, errorName: string, args: readonly unknown[], cause: unknown) {
    super('CALL_REVERTED', `${functionName} reverted: ${errorName}(${args.join(', ')})`, { cause })
    this.errorName = errorName
    this.args = args
  }
}
