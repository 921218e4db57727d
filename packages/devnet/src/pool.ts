import { createRequire } from 'node:module'
import type { Deployments, SwapPool } from '@svc/chain'
import { getChainProfile, SvcError } from '@svc/protocol'
import {
  type Abi,
  type Address,
  encodeAbiParameters,
  encodeDeployData,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  getContractAddress,
  type Hex,
  keccak256,
  maxUint256,
  numberToHex,
  parseAbi,
  zeroAddress,
} from 'viem'
import { accounts } from './accounts.ts'
import type { DevnetClient } from './client.ts'
import { sendTransaction, waitForReceipt } from './send.ts'
import { sendTokens } from './walletSteps.ts'

interface Artifact {
  abi: Abi
  bytecode: Hex
}
const require = createRequire(import.meta.url)
/** Bytecode stays in the npm packages of Uniswap: none of it is committed or published here. */
const load = (path: string): Artifact => require(path)

const factoryAbi = parseAbi([
  'function feeAmountTickSpacing(uint24 fee) view returns (int24)',
  'function getPool(address a, address b, uint24 fee) view returns (address)',
])
const positionsAbi = parseAbi([
  'function createAndInitializePoolIfNecessary(address token0, address token1, uint24 fee, uint160 sqrtPriceX96) payable returns (address)',
  'function mint((address token0, address token1, uint24 fee, int24 tickLower, int24 tickUpper, uint256 amount0Desired, uint256 amount1Desired, uint256 amount0Min, uint256 amount1Min, address recipient, uint256 deadline)) payable returns (uint256, uint128, uint256, uint256)',
])

/** The fee of the pool of the local chain, in hundredths of a basis point, and what a tick of it is. */
export const poolFee = 3_000
const tickSpacing = 60
/** Where the factory keeps the tick of each fee. */
const tickSlot = 4n
/** The whole range of prices. */
const lastTick = Math.floor(887_272 / tickSpacing) * tickSpacing

/** Dollars on each side of the pool of the local chain. */
const defaultDollars = 50_000
/** Dollars for one TOK: the price of the local feed. */
const usdPerTok = 0.0025

/** The chain has no Uniswap, or its npm packages changed. */
class PoolError extends SvcError {
  override name = 'PoolError'

  constructor(reason: string) {
    super('POOL', `Cannot create a pool: ${reason}.`)
  }
}

/**
 * Puts Uniswap v3 where the chain of production has it, and a TOK/USDC pool with this many dollars on each side. Returns what a
 * deployments file says of it. Idempotent.
 */
export async function deployPool(
  client: DevnetClient,
  deployments: Deployments,
  { dollars = defaultDollars }: { dollars?: number } = {},
): Promise<SwapPool> {
  const { tokToken, usdc } = deployments.shared
  const place = getChainProfile(client.chain.id).swap
  if (!place) throw new PoolError(`chain ${client.chain.id} has no Uniswap`)
  const readPool = () =>
    client.readContract({
      address: place.factory,
      abi: factoryAbi,
      functionName: 'getPool',
      args: [tokToken, usdc, poolFee],
    })
  if (await client.getCode({ address: place.factory })) return { pool: await readPool(), fee: poolFee }
  const positions = await deployUniswap(client, place)
  const amounts = { usdc: BigInt(dollars) * 10n ** 6n, tok: BigInt(Math.round(dollars / usdPerTok)) * 10n ** 18n }
  await sendTokens(client, deployments, accounts.treasury.address, { tok: 0n, usdc: amounts.usdc })
  await addLiquidity(client, positions, { token: tokToken, amount: amounts.tok }, { token: usdc, amount: amounts.usdc })
  return { pool: getAddress(await readPool()), fee: poolFee }
}

type Place = NonNullable<ReturnType<typeof getChainProfile>['swap']>

/** Puts the code where it is on the chain of production. Returns where the position manager is, which nobody else needs. */
async function deployUniswap(client: DevnetClient, { factory, router, quoter, weth }: Place): Promise<Address> {
  const core = load('@uniswap/v3-core/artifacts/contracts/UniswapV3Factory.sol/UniswapV3Factory.json')
  const manager = load(
    '@uniswap/v3-periphery/artifacts/contracts/NonfungiblePositionManager.sol/NonfungiblePositionManager.json',
  )
  const swapRouter = load('@uniswap/swap-router-contracts/artifacts/contracts/SwapRouter02.sol/SwapRouter02.json')
  const quoterV2 = load('@uniswap/swap-router-contracts/artifacts/contracts/lens/QuoterV2.sol/QuoterV2.json')
  const weth9 = load('canonical-weth/build/contracts/WETH9.json')
  const put = async (address: Address, { abi, bytecode }: Artifact, args: readonly unknown[]) => {
    const { code, created } = await runCreation(client, encodeDeployData({ abi, bytecode, args }))
    // A contract that remembers its own address must remember the one that it is put at.
    const moved = code.replaceAll(created.slice(2).toLowerCase(), address.slice(2).toLowerCase())
    await client.setCode({ address, bytecode: `0x${moved.slice(2)}` })
  }
  await put(weth, { ...weth9, abi: [] }, [])
  await put(factory, core, [])
  await client.setStorageAt({
    address: factory,
    index: keccak256(encodeAbiParameters([{ type: 'uint24' }, { type: 'uint256' }], [poolFee, tickSlot])),
    value: numberToHex(tickSpacing, { size: 32 }),
  })
  const tick = await client.readContract({
    address: factory,
    abi: factoryAbi,
    functionName: 'feeAmountTickSpacing',
    args: [poolFee],
  })
  if (tick !== tickSpacing) throw new PoolError('the factory keeps its fees in another place')
  const data = encodeDeployData({ ...manager, args: [factory, weth, zeroAddress] })
  const hash = await client.sendTransaction({ account: accounts.guardian, data })
  const { contractAddress } = await waitForReceipt(client, hash)
  if (!contractAddress) throw new PoolError('the position manager was not deployed')
  await put(router, swapRouter, [zeroAddress, factory, contractAddress, weth])
  await put(quoter, quoterV2, [factory, weth])
  return contractAddress
}

/** Runs creation code without a transaction: the code that it would leave, and the address that it would have. */
async function runCreation(client: DevnetClient, data: Hex): Promise<{ code: Hex; created: Address }> {
  const { address } = accounts.guardian
  const nonce = await client.getTransactionCount({ address })
  const { data: code } = await client.call({ account: address, data, gas: 30_000_000n })
  if (!code) throw new PoolError('creation code returned nothing')
  return { code, created: getContractAddress({ from: address, nonce: BigInt(nonce) }) }
}

interface Side {
  token: Address
  amount: bigint
}

/** Adds liquidity over the whole range of prices, so that both sides are worth the same. */
async function addLiquidity(client: DevnetClient, positions: Address, a: Side, b: Side): Promise<void> {
  const account = accounts.treasury
  const [zero, one] = BigInt(a.token) < BigInt(b.token) ? [a, b] : [b, a]
  for (const { token, amount } of [zero, one]) {
    const data = encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [positions, amount] })
    await sendTransaction(client, account, { to: token, data })
  }
  const sqrtPriceX96 = computeSqrt((one.amount << 192n) / zero.amount)
  const create = encodeFunctionData({
    abi: positionsAbi,
    functionName: 'createAndInitializePoolIfNecessary',
    args: [zero.token, one.token, poolFee, sqrtPriceX96],
  })
  const mint = encodeFunctionData({
    abi: positionsAbi,
    functionName: 'mint',
    args: [
      {
        token0: zero.token,
        token1: one.token,
        fee: poolFee,
        tickLower: -lastTick,
        tickUpper: lastTick,
        amount0Desired: zero.amount,
        amount1Desired: one.amount,
        amount0Min: 0n,
        amount1Min: 0n,
        recipient: account.address,
        deadline: maxUint256,
      },
    ],
  })
  for (const data of [create, mint]) await sendTransaction(client, account, { to: positions, data })
}

function computeSqrt(value: bigint): bigint {
  let root = 1n << BigInt(Math.ceil(value.toString(2).length / 2))
  for (let next = (root + value / root) >> 1n; next < root; next = (root + value / root) >> 1n) root = next
  return root
}
