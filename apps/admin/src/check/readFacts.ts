import { type Deployments, findWrongCode, getLogs, type Provider, toViemLog } from '@svc/chain'
import { suiteFactoryCreation } from '@svc/devnet/creations'
import { timelockControllerAbi } from '@svc/devnet/timelock'
import { markets } from '@svc/protocol'
import {
  pricingPolicyAbi,
  realityCourtAbi,
  reputationRegistryAbi,
  stakingVaultAbi,
  suiteFactoryAbi,
  taskLensAbi,
  taskRegistryAbi,
  tokTokenAbi,
  usdOracleAbi,
} from '@svc/protocol/abis'
import { create2Deployer } from '@svc/protocol/internal/base'
import { encodePlanId, paidPlans } from '@svc/protocol/internal/money'
import {
  type Abi,
  type Address,
  encodeDeployData,
  erc20Abi,
  type Hex,
  isAddressEqual,
  keccak256,
  parseAbi,
  parseEventLogs,
  stringToHex,
  zeroAddress,
  zeroHash,
} from 'viem'
import type { Plan } from '../plan/planFile.ts'
import { computeSuite, listSuiteContracts, type PlannedSuite } from '../plan/plannedSuite.ts'
import { formatList, formatPlanPrice, formatSeat, formatSupply } from './expectedFacts.ts'
import { type Facts, unknownFact } from './facts.ts'

const safeAbi = parseAbi(['function getThreshold() view returns (uint256)'])
const noAnswer = 'no answer'
const roles = {
  proposers: keccak256(stringToHex('PROPOSER_ROLE')),
  executors: keccak256(stringToHex('EXECUTOR_ROLE')),
  cancellers: keccak256(stringToHex('CANCELLER_ROLE')),
  admins: zeroHash,
} as const

/** Reads from one provider what is true of a deployment. */
export async function readFacts(provider: Provider, plan: Plan, { startBlock }: Deployments): Promise<Facts> {
  const { client } = provider
  const suite = computeSuite(plan)
  const { shared } = suite
  const facts = new Map<string, string>()
  const set = async (path: string, value: Promise<unknown>) => {
    facts.set(path, await value.then(String, () => noAnswer))
  }
  /** Reads views without arguments, under the contract's name. */
  const readViews = async (name: string, address: Address, abi: Abi, views: readonly string[]) => {
    for (const functionName of views)
      await set(`${name}.${functionName}`, client.readContract({ address, abi, functionName }))
  }
  await set('chainId', client.getChainId())
  await readViews('factory', suite.factory, suiteFactoryAbi, ['deployer', 'created'])
  await readViews('tokToken', shared.tokToken, tokTokenAbi, ['symbol', 'decimals'])
  const supply = client.readContract({ address: shared.tokToken, abi: tokTokenAbi, functionName: 'totalSupply' })
  await set('tokToken.totalSupply', supply.then(formatSupply))
  await readViews('usdc', shared.usdc, erc20Abi, ['decimals'])
  await readViews('pricingPolicy', shared.pricingPolicy, pricingPolicyAbi, ['owner', 'pendingOwner', 'usdOracle'])
  for (const name of paidPlans) {
    const { pricingPolicy: address } = shared
    const read = client.readContract({
      address,
      abi: pricingPolicyAbi,
      functionName: 'planOf',
      args: [encodePlanId(name)],
    })
    await set(`pricingPolicy.plan.${name}`, read.then(formatPlanPrice))
  }
  await set(
    'timelock.minDelay',
    client.readContract({ address: shared.timelock, abi: timelockControllerAbi, functionName: 'getMinDelay' }),
  )
  for (const [name, members] of await readRoles(provider, shared.timelock, BigInt(startBlock)))
    facts.set(`timelock.${name}`, members)
  if (!isAddressEqual(shared.usdOracle, zeroAddress))
    await readViews('usdOracle', shared.usdOracle, usdOracleAbi, ['priceFeed', 'sequencerFeed', 'maxAge', 'grace'])
  if (typeof plan.finalCourt !== 'string') {
    const court = { address: shared.finalCourt, abi: realityCourtAbi } as const
    await readViews('finalCourt', shared.finalCourt, realityCourtAbi, ['reality', 'tok', 'remainderTo', 'policy'])
    for (const market of markets) {
      const { arbitration } = suite.markets[market]
      const read = client.readContract({ ...court, functionName: 'seatOf', args: [arbitration] })
      await set(`finalCourt.seat of ${market}`, read.then(formatSeat))
    }
  } else if (!plan.allowWalletGovernors) {
    const read = client.readContract({ address: plan.finalCourt, abi: safeAbi, functionName: 'getThreshold' })
    await set(
      'finalCourt.signatures',
      read.then((threshold) => (threshold < 2n ? threshold : 'two or more')),
    )
  }
  for (const market of markets) {
    const contracts = suite.markets[market]
    const registryViews = ['owner', 'pendingOwner', 'guardian', 'paused', 'sunsetAt']
    await readViews(`${market} taskRegistry`, contracts.taskRegistry, taskRegistryAbi, registryViews)
    const stakingViews = ['owner', 'pendingOwner', 'creditCap', 'creditRate']
    await readViews(`${market} stakingVault`, contracts.stakingVault, stakingVaultAbi, stakingViews)
    await readViews(`${market} taskLens`, contracts.taskLens, taskLensAbi, ['predecessor'])
    await readViews(`${market} reputationRegistry`, contracts.reputationRegistry, reputationRegistryAbi, [
      'predecessor',
    ])
  }
  facts.set('startBlock', await readStartBlock(provider, suite, startBlock))
  for (const [path, value] of await readCodes(provider, plan, suite)) facts.set(path, value)
  return facts
}

/** Reads who has the roles of the timelock, from its events: a role has no list of its members. */
async function readRoles({ rpc, client }: Provider, address: Address, from: bigint): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  try {
    const raw = await getLogs(rpc, { address }, { from, to: await client.getBlockNumber() })
    const logs = parseEventLogs({
      abi: timelockControllerAbi,
      logs: raw.map(toViemLog),
      eventName: ['RoleGranted', 'RoleRevoked'],
    })
    for (const [name, role] of Object.entries(roles)) {
      const seen = new Set(logs.filter(({ args }) => args.role === role).map(({ args }) => args.account))
      const members: Address[] = []
      for (const account of seen) {
        const args = [role, account] as const
        if (await client.readContract({ address, abi: timelockControllerAbi, functionName: 'hasRole', args }))
          members.push(account)
      }
      found.set(name, formatList(members))
    }
  } catch {
    for (const name of Object.keys(roles)) found.set(name, noAnswer)
  }
  return found
}

/** The block that created the factory must be the start block. A provider without past states cannot tell. */
async function readStartBlock({ client }: Provider, { factory }: PlannedSuite, startBlock: number): Promise<string> {
  try {
    const at = BigInt(startBlock)
    if (!(await client.getCode({ address: factory, blockNumber: at }))) return `later than ${startBlock}`
    const before = at > 0n && (await client.getCode({ address: factory, blockNumber: at - 1n }))
    return before ? `before ${startBlock}` : String(startBlock)
  } catch {
    return unknownFact
  }
}

/** Compares every contract with what its constructor returns, with all immutables. Constructors run again in a simulation. */
async function readCodes({ client }: Provider, plan: Plan, suite: PlannedSuite): Promise<[string, string][]> {
  const found: [string, string][] = []
  const deployments = { ...suite, startBlock: 0 }
  const contracts = listSuiteContracts(suite)
  const factoryCode = await client.getCode({ address: suite.factory }).catch(() => undefined)
  const factoryData = encodeDeployData({ ...suiteFactoryCreation, args: [plan.deployer] })
  const rebuild = (data: Hex, from: Address, nonce: number, address: Address) =>
    client
      .call({
        account: from,
        data,
        stateOverride: [
          { address: from, nonce },
          { address, nonce: 0, code: '0x' },
        ],
      })
      .then(
        (result) => result.data ?? '0x',
        () => null,
      )
  // The CREATE2 address of the factory is not in its code, so any sender gives the same.
  const expected = await rebuild(factoryData, create2Deployer, 1, suite.factory)
  found.push(['code of SuiteFactory', describeCode(factoryCode, expected, null)])
  for (const [index, { name, address, data }] of suite.creations.entries()) {
    const code = await client.getCode({ address }).catch(() => undefined)
    const contract = contracts.find((each) => isAddressEqual(each.address, address))
    const fault = contract && code ? findWrongCode(contract, code, deployments) : null
    found.push([`code of ${name}`, describeCode(code, await rebuild(data, suite.factory, index + 1, address), fault)])
  }
  return found
}

function describeCode(code: Hex | undefined, expected: Hex | null, fault: string | null): string {
  if (!code) return 'no code'
  if (fault) return fault
  // Some providers do not simulate with overrides. Then only the code without immutables, and the wiring, are compared.
  if (expected === null) return 'as compiled'
  return code === expected ? 'as compiled' : 'another contract, or other constructor arguments'
}
