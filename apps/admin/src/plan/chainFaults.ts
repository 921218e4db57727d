import { type ChainClient, findWrongCode } from '@svc/chain'
import { timelockControllerAbi } from '@svc/devnet/timelock'
import { suiteFactoryAbi, tokTokenAbi, usdOracleAbi } from '@svc/protocol/abis'
import { create2Deployer } from '@svc/protocol/internal/base'
import { oracleMaxAge, timelockDelay } from '@svc/protocol/internal/money'
import { type Address, erc20Abi, isAddressEqual, keccak256, parseAbi, stringToHex } from 'viem'
import type { Plan } from './planFile.ts'
import { computeSuite, listSuiteContracts, type PlannedSuite } from './plannedSuite.ts'

const feedAbi = parseAbi([
  'function decimals() view returns (uint8)',
  'function latestRoundData() view returns (uint80 roundId, int256 answer, uint256 startedAt, uint256 updatedAt, uint80 answeredInRound)',
])
const safeAbi = parseAbi(['function getThreshold() view returns (uint256)'])
const realityAbi = parseAbi(['function template_hashes(uint256) view returns (bytes32)'])
/** The template of questions with the answers yes and no, as Reality.eth creates it first. */
const boolTemplate = '{"title": "%s", "type": "bool", "category": "%s", "lang": "%s"}'
/** The code of the canonical deployer, so that a look-alike is not used. */
const create2DeployerHash = '0x2fa86add0aed31f33a762c9d88e807c475bd51d0f52bd0955754b2608f7e4989'

interface Context {
  plan: Plan
  suite: PlannedSuite
  client: ChainClient
  /** Unix seconds of the newest block. */
  now: bigint
}

type ChainRule = (context: Context) => Promise<string | null | (string | null)[]>

const hasCode = async (client: ChainClient, address: Address) => ((await client.getCode({ address })) ?? '0x') !== '0x'

/** Runs a read that a wrong contract may answer with anything. */
const tryRead = <T>(read: Promise<T>): Promise<T | null> => read.catch(() => null)

async function checkToken(client: ChainClient, path: string, address: Address, decimals: number, symbol: string) {
  if (!(await hasCode(client, address))) return `${path}: there is no contract at ${address}`
  const token = { address, abi: erc20Abi } as const
  const found = await tryRead(client.readContract({ ...token, functionName: 'decimals' }))
  if (found === null) return `${path}: ${address} is not a token`
  if (found !== decimals) return `${path}: ${address} has ${found} decimals instead of ${decimals}`
  const name = await tryRead(client.readContract({ ...token, functionName: 'symbol' }))
  return name === symbol ? null : `${path}: the symbol of ${address} is not ${symbol}`
}

async function checkTok(client: ChainClient, address: Address, deployer: Address): Promise<string | null> {
  const fault = await checkToken(client, 'tok', address, 18, 'TOK')
  if (fault) return fault
  // What judges lose is burnt. With a token that refuses, their cases would not move on.
  const burn = { address, abi: tokTokenAbi, functionName: 'burn', args: [0n], account: deployer } as const
  return (await tryRead(client.simulateContract(burn))) ? null : `tok: ${address} cannot be burnt`
}

const rules: readonly ChainRule[] = [
  async ({ client }) => {
    const code = await client.getCode({ address: create2Deployer })
    if (!code)
      return `there is no CREATE2 deployer at ${create2Deployer}; deploy it with its presigned transaction first`
    return keccak256(code) === create2DeployerHash ? null : `the code at ${create2Deployer} is not the CREATE2 deployer`
  },
  ({ client, plan }) => checkToken(client, 'usdc', plan.usdc, 6, 'USDC'),
  async ({ client, plan: { tok, deployer } }) => ('address' in tok ? checkTok(client, tok.address, deployer) : null),
  async ({ client, plan: { timelock, allowWalletGovernors } }) => {
    if ('address' in timelock) return null
    return Promise.all(
      timelock.governors.map(async (governor, index) => {
        const path = `timelock.governors.${index}`
        if (!(await hasCode(client, governor)))
          return allowWalletGovernors
            ? null
            : `${path}: ${governor} is a wallet; a governor must be a Safe or another contract`
        const threshold = await tryRead(
          client.readContract({ address: governor, abi: safeAbi, functionName: 'getThreshold' }),
        )
        return threshold !== null && threshold < 2n && !allowWalletGovernors
          ? `${path}: the Safe ${governor} needs only ${threshold} signature`
          : null
      }),
    )
  },
  async ({ client, plan: { timelock, deployer } }) => {
    if ('governors' in timelock) return null
    const { address } = timelock
    if (!(await hasCode(client, address))) return `timelock: there is no contract at ${address}`
    const contract = { address, abi: timelockControllerAbi } as const
    const delay = await tryRead(client.readContract({ ...contract, functionName: 'getMinDelay' }))
    if (delay === null) return `timelock: ${address} is not a timelock`
    if (delay < BigInt(timelockDelay)) return `timelock: its delay of ${delay} s is below ${timelockDelay} s`
    for (const role of ['DEFAULT_ADMIN_ROLE', 'PROPOSER_ROLE'] as const) {
      const id = role === 'DEFAULT_ADMIN_ROLE' ? (`0x${'00'.repeat(32)}` as const) : keccak256(stringToHex(role))
      if (await client.readContract({ ...contract, functionName: 'hasRole', args: [id, deployer] }))
        return `timelock: the deployer has ${role}`
    }
    return null
  },
  async ({ client, plan: { oracle }, now }) => {
    if (!oracle || 'address' in oracle) return null
    const { priceFeed } = oracle
    if (!(await hasCode(client, priceFeed))) return `oracle.priceFeed: there is no contract at ${priceFeed}`
    const feed = { address: priceFeed, abi: feedAbi } as const
    const decimals = await tryRead(client.readContract({ ...feed, functionName: 'decimals' }))
    const round = await tryRead(client.readContract({ ...feed, functionName: 'latestRoundData' }))
    if (decimals === null || round === null) return `oracle.priceFeed: ${priceFeed} gives no answer`
    if (decimals > 30) return `oracle.priceFeed: ${priceFeed} has ${decimals} decimals`
    const [, answer, , updatedAt] = round
    if (answer <= 0n) return `oracle.priceFeed: its answer is ${answer}`
    if (updatedAt > now) return `oracle.priceFeed: its answer is from the future`
    return now - updatedAt > BigInt(oracleMaxAge) ? `oracle.priceFeed: its answer is ${now - updatedAt} s old` : null
  },
  async ({ client, plan: { oracle } }) => {
    if (!oracle || 'address' in oracle || !oracle.sequencerFeed) return null
    const address = oracle.sequencerFeed
    if (!(await hasCode(client, address))) return `oracle.sequencerFeed: there is no contract at ${address}`
    const round = await tryRead(client.readContract({ address, abi: feedAbi, functionName: 'latestRoundData' }))
    if (round === null) return `oracle.sequencerFeed: ${address} gives no answer`
    return round[1] === 0n && round[2] > 0n ? null : 'oracle.sequencerFeed: it says that the sequencer is down'
  },
  async ({ client, plan: { oracle } }) => {
    if (!oracle || !('address' in oracle)) return null
    const { address } = oracle
    if (!(await hasCode(client, address))) return `oracle: there is no contract at ${address}`
    const price = await tryRead(client.readContract({ address, abi: usdOracleAbi, functionName: 'tokUsdPrice' }))
    return price ? null : `oracle: ${address} gives no price`
  },
  // One key does not decide everything large and every appeal.
  async ({ client, plan: { finalCourt, allowWalletGovernors } }) => {
    if (typeof finalCourt !== 'string') {
      const { reality } = finalCourt
      const read = client.readContract({
        address: reality,
        abi: realityAbi,
        functionName: 'template_hashes',
        args: [0n],
      })
      return (await tryRead(read)) === keccak256(stringToHex(boolTemplate))
        ? null
        : `finalCourt.reality: ${reality} is not Reality.eth`
    }
    if (allowWalletGovernors) return null
    if (!(await hasCode(client, finalCourt)))
      return `finalCourt: ${finalCourt} is a wallet; it must be a Safe, or a court that asks Reality.eth`
    const threshold = await tryRead(
      client.readContract({ address: finalCourt, abi: safeAbi, functionName: 'getThreshold' }),
    )
    if (threshold === null) return `finalCourt: ${finalCourt} is not a Safe`
    return threshold < 2n ? `finalCourt: the Safe ${finalCourt} needs only ${threshold} signature` : null
  },
  async ({ client, plan: { treasury, allowWalletGovernors } }) =>
    allowWalletGovernors || (await hasCode(client, treasury))
      ? null
      : `treasury: ${treasury} is a wallet; it must be a Safe or another contract`,
  async ({ client, plan: { predecessor } }) =>
    Promise.all(
      Object.entries(predecessor ?? {}).flatMap(([market, contracts]) =>
        Object.entries(contracts).map(async ([name, address]) =>
          (await hasCode(client, address)) ? null : `predecessor.${market}.${name}: there is no contract at ${address}`,
        ),
      ),
    ),
  // What a plan of the same name and deployer created before.
  async ({ client, plan, suite }) => {
    if (!(await hasCode(client, suite.factory))) return null
    const factory = { address: suite.factory, abi: suiteFactoryAbi } as const
    const [deployer, created] = await Promise.all([
      client.readContract({ ...factory, functionName: 'deployer' }),
      client.readContract({ ...factory, functionName: 'created' }),
    ])
    if (!isAddressEqual(deployer, plan.deployer)) return `suite: its factory belongs to ${deployer}`
    if (created > BigInt(suite.creations.length))
      return `suite: its factory has created ${created} contracts, more than this plan has`
    return findForeignCode(client, suite, Number(created))
  },
]

/** Contracts that exist already must be those of this plan. */
async function findForeignCode(client: ChainClient, suite: PlannedSuite, created: number): Promise<string | null> {
  const deployments = { ...suite, startBlock: 0 }
  const contracts = listSuiteContracts(suite)
  for (const { name, address } of suite.creations.slice(0, created)) {
    const contract = contracts.find((each) => isAddressEqual(each.address, address))
    const code = (await client.getCode({ address })) ?? '0x'
    const fault = contract ? findWrongCode(contract, code, deployments) : `${name} is not part of the suite`
    if (fault) return `suite: another plan was deployed under this name: ${fault}`
  }
  return null
}

/** Lists what is wrong with a plan on its chain. A provider of another chain is reported alone. */
export async function findChainFaults(plan: Plan, client: ChainClient): Promise<string[]> {
  const chainId = await client.getChainId()
  if (chainId !== plan.chainId)
    return [`chainId: the plan is for chain ${plan.chainId}, but the provider is on chain ${chainId}`]
  const { timestamp: now } = await client.getBlock()
  const context: Context = { plan, suite: computeSuite(plan), client, now }
  const found: string[] = []
  // In turn: providers limit calls per second.
  for (const rule of rules) {
    const faults = await rule(context)
    found.push(...[faults].flat().filter((fault): fault is string => fault !== null))
  }
  return found
}
