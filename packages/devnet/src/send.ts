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
} from '@svc/protocol'
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
  const [nonce] = await Promise.all([
    client.getTransactionCount({ address: account.address }),
    client.call({ account, ...transaction }),
  ])
  const request = { chainId: client.chain.id, nonce, ...plenty, ...transaction }
  const serializedTransaction = await account.signTransaction(request)
  return client.sendRawTransactionSync({ serializedTransaction, throwOnReceiptRevert: true })
}

/** Ether is free on the local chain, so nothing is estimated. No call of the suite takes more than 2M gas. */
const plenty = { gas: 5_000_000n, maxFeePerGas: parseGwei('100'), maxPriorityFeePerGas: 1n, type: 'eip1559' } as const

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
