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
  type EncodeFunctionDataParameters,
  encodeFunctionData,
  getContractError,
  type Hex,
  type LocalAccount,
  parseGwei,
  type TransactionReceipt,
} from 'viem'
import { timelockControllerAbi } from './abis/timelockController.ts'
import type { DevnetClient } from './client.ts'

type Writes = 'nonpayable' | 'payable'

/** One write on a contract. */
export interface Call<
  abi extends Abi = Abi,
  name extends ContractFunctionName<abi, Writes> = ContractFunctionName<abi, Writes>,
> {
  address: Address
  abi: abi
  functionName: name
  args: ContractFunctionArgs<abi, Writes, name>
}

/** Calls a contract and waits for the receipt. A refusal becomes a `CallRefusedError` with the custom error's name and values. */
export async function send<const abi extends Abi, name extends ContractFunctionName<abi, Writes>>(
  client: DevnetClient,
  account: LocalAccount,
  call: Call<abi, name>,
): Promise<TransactionReceipt> {
  const data = encodeFunctionData(call as unknown as EncodeFunctionDataParameters)
  try {
    return await sendData(client, account, { to: call.address, data })
  } catch (error) {
    throw refusal(error, call as unknown as Call)
  }
}

/** Sends a transaction and waits for the receipt. */
export async function sendData(
  client: DevnetClient,
  account: LocalAccount,
  transaction: { to: Address; data: Hex },
): Promise<TransactionReceipt> {
  // A dry run first: it brings the reason of a refusal, and is cheaper than an estimate of the gas.
  const [serializedTransaction] = await Promise.all([
    signTransaction(client, account, transaction),
    client.call({ account, ...transaction }),
  ])
  return client.sendRawTransactionSync({ serializedTransaction, throwOnReceiptRevert: true })
}

/**
 * Signs the account's next transaction, or without `to` a creation. Ether is free on the local chain, so nothing is
 * estimated: the default gas is more than twice what any call of the suite takes.
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

/** Every custom error of the suite: one contract's error often comes through another. */
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

function refusal(error: unknown, call: Call): unknown {
  if (!(error instanceof BaseError)) return error
  const decoded = getContractError(error, {
    abi: errors,
    address: call.address,
    args: call.args,
    functionName: call.functionName,
  })
  const reverted = decoded.walk((cause) => cause instanceof ContractFunctionRevertedError)
  if (!(reverted instanceof ContractFunctionRevertedError) || !reverted.data) return error
  return new CallRefusedError(call.functionName, reverted.data.errorName, reverted.data.args ?? [], error)
}

/** A contract refused a call. */
export class CallRefusedError extends Error {
  override name = 'CallRefusedError'
  readonly errorName: string
  readonly args: readonly unknown[]

  constructor(functionName: string, errorName: string, args: readonly unknown[], cause: unknown) {
    super(`${functionName} was refused: ${errorName}(${args.join(', ')})`, { cause })
    this.errorName = errorName
    this.args = args
  }
}
