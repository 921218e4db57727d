import { accounts, type DevnetClient, waitForReceipt } from '@svc/devnet'
import { create2Deployer } from '@svc/protocol/internal/base'
import {
  type Address,
  concat,
  encodeFunctionData,
  encodePacked,
  type Hex,
  type PrivateKeyAccount,
  parseAbi,
  parseEther,
  parseEventLogs,
  toBytes,
  zeroHash,
} from 'viem'
import {
  entryPoint08Abi,
  entryPoint08Address,
  toPackedUserOperation,
  toSimple7702SmartAccount,
} from 'viem/account-abstraction'
import { batchImplementation, encodeBatch, requireOfDevnet } from './batchWallet.ts'

/** The salt of the public deployments: EntryPoint v0.8 gets its real address from it. */
const entryPointSalt: Hex = '0x0a59dbff790c23c976a548690c27297883cc66b4c67024f9117b0238995e35e9'
const paymasterAbi = parseAbi([
  'function deposit() payable',
  'function getHash(uint8 mode, (address sender, uint256 nonce, bytes initCode, bytes callData, bytes32 accountGasLimits, uint256 preVerificationGas, bytes32 gasFees, bytes paymasterAndData, bytes signature) userOp) view returns (bytes32)',
])

/** A paymaster that takes USDC for gas: a real one, from an npm package. What signs for it is ours. */
export interface Paymaster {
  address: Address
  signer: PrivateKeyAccount
  treasury: Address
  /** USDC units for one ETH. */
  rate: bigint
}

/** Deploys EntryPoint v0.8 at its real address, and a paymaster with a deposit of 1 ETH. */
export async function deployPaymaster(client: DevnetClient, signer: PrivateKeyAccount): Promise<Paymaster> {
  const { guardian, treasury } = accounts
  const { bytecode }: { bytecode: Hex } = requireOfDevnet('@account-abstraction/contracts/artifacts/EntryPoint.json')
  await deploy(client, concat([entryPointSalt, bytecode]))
  if (!(await client.getCode({ address: entryPoint08Address }))) throw new Error('There is no EntryPoint.')
  const constants = requireOfDevnet.resolve('@pimlico/mock-paymaster').replace('index.js', 'constants.js')
  const {
    getSingletonPaymaster08InitCode: initCode,
    getSingletonPaymaster08Address: findAddress,
  }: Record<'getSingletonPaymaster08InitCode' | 'getSingletonPaymaster08Address', (owner: Address) => Hex> =
    requireOfDevnet(constants)
  await deploy(client, concat([zeroHash, initCode(signer.address)]))
  const address = findAddress(signer.address)
  const data = encodeFunctionData({ abi: paymasterAbi, functionName: 'deposit' })
  const hash = await client.sendTransaction({ account: guardian, to: address, value: parseEther('1'), data })
  await waitForReceipt(client, hash)
  return { address, signer, treasury: treasury.address, rate: 3_000n * 10n ** 6n }
}

/** Creates a contract with CREATE2. It is larger than what a call of the local chain may usually cost. */
async function deploy(client: DevnetClient, data: Hex): Promise<void> {
  const hash = await client.sendTransaction({ account: accounts.guardian, to: create2Deployer, data, gas: 12_000_000n })
  await waitForReceipt(client, hash)
}

/** A quiet day on Base: 0.005 gwei and a tip. */
const [baseFee, tip] = [5_000_000n, 1_000_000n]

/**
 * Sends calls of a wallet without ETH as one user operation: the paymaster pays the gas and takes USDC for it after the calls, through
 * the allowance that the calls give it. The keeper plays the bundler.
 */
export async function sendSponsored(
  client: DevnetClient,
  owner: PrivateKeyAccount,
  calls: readonly { to: string; value: string; data: string }[],
  { paymaster, usdc, now }: { paymaster: Paymaster; usdc: Address; now: number },
): Promise<{ ok: boolean; gas: bigint }> {
  const bundler = accounts.keeper
  const account = await toSimple7702SmartAccount({ client, owner })
  // The same code is authorised twice: once for the hash of the operation, once in the transaction of the bundler.
  const authorization = await owner.signAuthorization({
    address: batchImplementation,
    chainId: client.chain.id,
    nonce: await client.getTransactionCount({ address: owner.address }),
  })
  const unsigned = encodePacked(
    ['uint8', 'uint8', 'uint48', 'uint48', 'address', 'uint128', 'uint256', 'uint128', 'address'],
    [3, 0, now + 86_400, 0, usdc, 40_000n, paymaster.rate, 30_000n, paymaster.treasury],
  )
  const operation = {
    sender: owner.address,
    nonce: await account.getNonce(),
    callData: encodeBatch(calls),
    factory: '0x7702',
    callGasLimit: 1_500_000n,
    verificationGasLimit: 150_000n,
    preVerificationGas: 60_000n,
    maxFeePerGas: baseFee + tip,
    maxPriorityFeePerGas: tip,
    paymasterVerificationGasLimit: 100_000n,
    paymasterPostOpGasLimit: 100_000n,
    paymaster: paymaster.address,
    paymasterData: unsigned,
    authorization,
    signature: '0x',
  } as const
  const hash = await client.readContract({
    address: paymaster.address,
    abi: paymasterAbi,
    functionName: 'getHash',
    args: [1, toPackedUserOperation(operation as never)],
  })
  const signed = await paymaster.signer.signMessage({ message: { raw: toBytes(hash) } })
  const complete = { ...operation, paymasterData: concat([unsigned, signed]) }
  const signature = await account.signUserOperation(complete as never)
  await client.setNextBlockBaseFeePerGas({ baseFeePerGas: baseFee })
  const sent = await client.sendTransaction({
    account: bundler,
    maxFeePerGas: baseFee + tip,
    maxPriorityFeePerGas: tip,
    to: entryPoint08Address,
    data: encodeFunctionData({
      abi: entryPoint08Abi,
      functionName: 'handleOps',
      args: [[toPackedUserOperation({ ...complete, signature } as never)], bundler.address],
    }),
    gas: 4_000_000n,
    authorizationList: [authorization],
  } as never)
  const { status, gasUsed, logs } = await waitForReceipt(client, sent)
  const [event] = parseEventLogs({ abi: entryPoint08Abi, logs, eventName: 'UserOperationEvent' })
  return { ok: status === 'success' && event?.args.success === true, gas: gasUsed }
}
