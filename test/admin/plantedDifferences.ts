import { createProvider, createRpc, createViemChain, type Deployments, type Provider } from '@svc/chain'
import { accounts, waitForReceipt } from '@svc/devnet'
import { timelockControllerAbi } from '@svc/devnet/timelock'
import { pricingPolicyAbi, stakingVaultAbi, taskRegistryAbi } from '@svc/protocol/abis'
import { encodePlanId, sunsetNotice } from '@svc/protocol/internal/money'
import {
  type Abi,
  type Address,
  encodeFunctionData,
  type Hex,
  keccak256,
  numberToHex,
  parseEther,
  stringToHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import { computeSuite } from '../../apps/admin/src/plan/plannedSuite.ts'
import type { Rehearsal } from './rehearsal.ts'

/** A deployment on the local chain. */
export interface Deployed extends Rehearsal {
  deployments: Deployments
}

/** Something that is not as the plan says. */
export interface PlantedDifference {
  title: string
  /** Changes the chain. It is rolled back afterwards. */
  plant?: (deployed: Deployed) => Promise<unknown>
  /** Changes the deployments file. */
  file?: (deployments: Deployments) => Deployments
  /** Changes what the second provider answers. */
  second?: (deployed: Deployed) => Provider
  /** Where it must be found. */
  path: RegExp
}

const stranger = accounts.hana.address
const role = (name: string): Hex => keccak256(stringToHex(`${name}_ROLE`))

/** Sends a call as any address. */
export async function sendAs(
  { client }: Pick<Rehearsal, 'client'>,
  from: Address,
  to: Address,
  abi: Abi,
  functionName: string,
  args: readonly unknown[] = [],
): Promise<void> {
  await client.setBalance({ address: from, value: parseEther('1') })
  await client.impersonateAccount({ address: from })
  const data = encodeFunctionData({ abi, functionName, args })
  const hash = await client.sendTransaction({ account: from, to, data, gas: 5_000_000n })
  const { status } = await waitForReceipt(client, hash)
  // Not before: without its sender, a transaction may stay in the pool.
  await client.stopImpersonatingAccount({ address: from })
  if (status !== 'success') throw new Error(`${functionName} reverted.`)
}

/** Makes a call of the timelock as the owner. */
const asOwner = (all: Deployed, to: Address, abi: Abi, functionName: string, args: readonly unknown[] = []) =>
  sendAs(all, all.deployments.shared.timelock, to, abi, functionName, args)
const onTimelock = (all: Deployed, functionName: string, args: readonly unknown[]) =>
  asOwner(all, all.deployments.shared.timelock, timelockControllerAbi, functionName, args)
const onRegistry = (all: Deployed, functionName: string, args: readonly unknown[] = []) =>
  asOwner(all, all.deployments.markets.standard.taskRegistry, taskRegistryAbi, functionName, args)
const onPolicy = (all: Deployed, functionName: string, args: readonly unknown[]) =>
  asOwner(all, all.deployments.shared.pricingPolicy, pricingPolicyAbi, functionName, args)

/** Runtime code that returns one word for every call: PUSH32 word, MSTORE at 0, RETURN 32 bytes. */
export const answering = (word: bigint) => `0x7f${word.toString(16).padStart(64, '0')}60005260206000f3` as const

/** Changes the code at an address. */
async function changeCode({ client }: Deployed, address: Address, change: (code: Hex) => Hex): Promise<void> {
  const code = (await client.getCode({ address })) ?? '0x'
  const changed = change(code)
  if (changed === code) throw new Error('Nothing changed.')
  await client.setCode({ address, bytecode: changed })
}

/** Changes the last byte before the metadata, which every contract has. */
const flipByte = (code: Hex): Hex => `${code.slice(0, 200)}${code[200] === '0' ? '1' : '0'}${code.slice(201)}` as Hex
const replaceAddress = (from: Address, to: Address) => (code: Hex) =>
  code.replaceAll(from.slice(2).toLowerCase(), to.slice(2).toLowerCase()) as Hex
const replaceWord = (from: bigint, to: bigint) => (code: Hex) =>
  code.replaceAll(numberToHex(from, { size: 32 }).slice(2), numberToHex(to, { size: 32 }).slice(2)) as Hex

/** A second provider that answers some calls otherwise. */
function lie({ rpcUrl, plan }: Deployed, answer: (method: string, params: readonly unknown[]) => unknown): Provider {
  const rpc = createRpc({ name: 'provider 2', url: rpcUrl })
  const request: typeof rpc.request = async (method, params, signal) =>
    answer(method, params) ?? rpc.request(method, params, signal)
  return createProvider({ ...rpc, request }, createViemChain(plan.chainId))
}
const isCallTo = (params: readonly unknown[], to: Address, data: Hex) =>
  JSON.stringify(params[0] ?? null)
    .toLowerCase()
    .includes(to.toLowerCase()) && JSON.stringify(params[0]).includes(data)

export const plantedDifferences: readonly PlantedDifference[] = [
  // Roles
  {
    title: 'another guardian',
    plant: (all) => onRegistry(all, 'setGuardian', [stranger]),
    path: /standard taskRegistry\.guardian/,
  },
  {
    title: 'no guardian',
    plant: (all) => onRegistry(all, 'setGuardian', [zeroAddress]),
    path: /standard taskRegistry\.guardian/,
  },
  {
    title: 'a pending owner of a registry',
    plant: (all) => onRegistry(all, 'transferOwnership', [stranger]),
    path: /standard taskRegistry\.pendingOwner/,
  },
  {
    title: 'another owner of a registry',
    async plant(all) {
      await onRegistry(all, 'transferOwnership', [stranger])
      await sendAs(all, stranger, all.deployments.markets.standard.taskRegistry, taskRegistryAbi, 'acceptOwnership')
    },
    path: /standard taskRegistry\.owner/,
  },
  {
    title: 'a registry without an owner',
    plant: (all) => onRegistry(all, 'renounceOwnership'),
    path: /standard taskRegistry\.owner/,
  },
  {
    title: 'a Union without an owner',
    plant: (all) => asOwner(all, all.deployments.markets.micro.stakingVault, stakingVaultAbi, 'renounceOwnership'),
    path: /micro stakingVault\.owner/,
  },
  {
    title: 'a pending owner of a Union',
    plant: (all) =>
      asOwner(all, all.deployments.markets.micro.stakingVault, stakingVaultAbi, 'transferOwnership', [stranger]),
    path: /micro stakingVault\.pendingOwner/,
  },
  {
    title: 'prices without an owner',
    plant: (all) => onPolicy(all, 'renounceOwnership', []),
    path: /pricingPolicy\.owner/,
  },
  {
    title: 'a pending owner of the prices',
    plant: (all) => onPolicy(all, 'transferOwnership', [stranger]),
    path: /pricingPolicy\.pendingOwner/,
  },
  {
    title: 'another proposer',
    plant: (all) => onTimelock(all, 'grantRole', [role('PROPOSER'), stranger]),
    path: /timelock\.proposers/,
  },
  {
    title: 'another executor',
    plant: (all) => onTimelock(all, 'grantRole', [role('EXECUTOR'), stranger]),
    path: /timelock\.executors/,
  },
  {
    title: 'anybody as executor',
    plant: (all) => onTimelock(all, 'grantRole', [role('EXECUTOR'), zeroAddress]),
    path: /timelock\.executors/,
  },
  {
    title: 'another canceller',
    plant: (all) => onTimelock(all, 'grantRole', [role('CANCELLER'), stranger]),
    path: /timelock\.cancellers/,
  },
  {
    title: 'a governor who lost the role',
    plant: (all) => onTimelock(all, 'revokeRole', [role('PROPOSER'), all.governor.address]),
    path: /timelock\.proposers/,
  },
  {
    title: 'an admin of the timelock',
    plant: (all) => onTimelock(all, 'grantRole', [zeroHash, stranger]),
    path: /timelock\.admins/,
  },
  // Parameters
  { title: 'a shorter delay', plant: (all) => onTimelock(all, 'updateDelay', [60n]), path: /timelock\.minDelay/ },
  { title: 'a paused market', plant: (all) => onRegistry(all, 'pauseEntries'), path: /standard taskRegistry\.paused/ },
  {
    title: 'a market that ends',
    async plant(all) {
      const { timestamp } = await all.client.getBlock()
      await onRegistry(all, 'sunset', [timestamp + BigInt(sunsetNotice + 3_600)])
    },
    path: /standard taskRegistry\.sunsetAt/,
  },
  {
    title: 'another price',
    plant: (all) =>
      onPolicy(all, 'setPlan', [encodePlanId('basic'), { listPriceUsd: 1n, tokDiscountBps: 2_000, tokAllowed: true }]),
    path: /pricingPolicy\.plan\.basic/,
  },
  {
    title: 'another discount',
    plant: (all) =>
      onPolicy(all, 'setPlan', [
        encodePlanId('pro'),
        { listPriceUsd: 49_000_000n, tokDiscountBps: 5_000, tokAllowed: true },
      ]),
    path: /pricingPolicy\.plan\.pro/,
  },
  {
    title: 'no TOK for a plan',
    plant: (all) =>
      onPolicy(all, 'setPlan', [
        encodePlanId('pro'),
        { listPriceUsd: 49_000_000n, tokDiscountBps: 2_000, tokAllowed: false },
      ]),
    path: /pricingPolicy\.plan\.pro/,
  },
  {
    title: 'no oracle',
    plant: (all) => onPolicy(all, 'setUsdOracle', [zeroAddress]),
    path: /pricingPolicy\.usdOracle/,
  },
  {
    title: 'another oracle',
    plant: (all) => onPolicy(all, 'setUsdOracle', [stranger]),
    path: /pricingPolicy\.usdOracle/,
  },
  {
    title: 'a price that may be older',
    plant: (all) => changeCode(all, all.deployments.shared.usdOracle, replaceWord(86_400n, 864_000n)),
    path: /usdOracle\.maxAge/,
  },
  {
    title: 'USDC with 18 decimals',
    plant: (all) => all.client.setCode({ address: all.plan.usdc, bytecode: '0x601260005260206000f3' }),
    path: /usdc\.decimals/,
  },
  // Code
  ...(['taskRegistry', 'escrowVault', 'depositVault', 'paymentGateway', 'arbitration', 'taskLens'] as const).map(
    (name) => ({
      title: `a changed byte in ${name}`,
      plant: (all: Deployed) => changeCode(all, all.deployments.markets.micro[name], flipByte),
      path: new RegExp(`code of micro ${name}`),
    }),
  ),
  {
    title: 'a changed byte in the timelock',
    plant: (all) => changeCode(all, all.deployments.shared.timelock, flipByte),
    path: /code of TimelockController/,
  },
  {
    title: 'a vault without code',
    plant: (all) => all.client.setCode({ address: all.deployments.markets.micro.escrowVault, bytecode: '0x' }),
    path: /code of micro escrowVault/,
  },
  {
    title: 'the code of the other market',
    plant: (all) => changeCode(all, all.deployments.markets.micro.taskRegistry, replaceWord(900n, 21_600n)),
    path: /code of micro taskRegistry/,
  },
  {
    title: 'another domain of signatures',
    plant: (all) => changeCode(all, all.deployments.shared.tokToken, replaceWord(BigInt(all.plan.chainId), 1n)),
    path: /code of TokToken/,
  },
  // Wiring
  {
    title: 'another treasury in a gateway',
    plant: (all) =>
      changeCode(all, all.deployments.markets.standard.paymentGateway, replaceAddress(all.plan.treasury, stranger)),
    path: /code of standard paymentGateway/,
  },
  {
    title: 'another final court',
    plant: (all) =>
      changeCode(
        all,
        all.deployments.markets.standard.arbitration,
        replaceAddress(all.deployments.shared.finalCourt, stranger),
      ),
    path: /code of standard arbitration/,
  },
  {
    title: 'a final court that one key decides for',
    plant: (all) => all.client.setCode({ address: all.deployments.shared.finalCourt, bytecode: answering(1n) }),
    path: /finalCourt\.signatures/,
  },
  {
    title: 'a vault of the other market',
    plant: (all) =>
      changeCode(
        all,
        all.deployments.markets.standard.taskRegistry,
        replaceAddress(all.deployments.markets.standard.escrowVault, all.deployments.markets.micro.escrowVault),
      ),
    path: /code of standard taskRegistry/,
  },
  {
    title: 'another price feed',
    plant: (all) =>
      changeCode(
        all,
        all.deployments.shared.usdOracle,
        replaceAddress(
          all.plan.oracle && 'priceFeed' in all.plan.oracle ? all.plan.oracle.priceFeed : zeroAddress,
          stranger,
        ),
      ),
    path: /usdOracle\.priceFeed/,
  },
  // The deployments file
  {
    title: 'a vault of the other market in the file',
    file: (own) => ({
      ...own,
      markets: { ...own.markets, micro: { ...own.markets.micro, escrowVault: own.markets.standard.escrowVault } },
    }),
    path: /file\.micro escrowVault/,
  },
  {
    title: 'a late start block in the file',
    file: (own) => ({ ...own, startBlock: own.startBlock + 1 }),
    path: /startBlock/,
  },
  {
    title: 'an early start block in the file',
    file: (own) => ({ ...own, startBlock: own.startBlock - 1 }),
    path: /startBlock/,
  },
  { title: 'another chain in the file', file: (own) => ({ ...own, chainId: own.chainId + 1 }), path: /file\.chainId/ },
  {
    title: 'another hash in the file',
    file: (own) => ({ ...own, codeHashes: { ...own.codeHashes, [own.shared.tokToken]: zeroHash } }),
    path: /file\.codeHashes/,
  },
  // The second provider
  {
    title: 'a second provider on another chain',
    second: (all) => lie(all, (method) => (method === 'eth_chainId' ? '0x1' : undefined)),
    path: /chainId/,
  },
  {
    title: 'a second provider with other code',
    second: (all) =>
      lie(all, (method, params) =>
        method === 'eth_getCode' &&
        params[0] === computeSuite(all.plan).markets.micro.escrowVault &&
        params[1] === 'latest'
          ? '0x6000'
          : undefined,
      ),
    path: /code of micro escrowVault/,
  },
  {
    title: 'a second provider with another guardian',
    second: (all) =>
      lie(all, (method, params) =>
        method === 'eth_call' && isCallTo(params, all.deployments.markets.micro.taskRegistry, '0x452a9320')
          ? `0x${stranger.slice(2).toLowerCase().padStart(64, '0')}`
          : undefined,
      ),
    path: /micro taskRegistry\.guardian/,
  },
]
