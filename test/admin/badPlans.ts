import { accounts, mockFeed, sendCall } from '@svc/devnet'
import { base, getChainProfile } from '@svc/protocol'
import { create2Deployer } from '@svc/protocol/internal/base'
import { oracleMaxAge } from '@svc/protocol/internal/money'
import { parseAbi, zeroAddress } from 'viem'
import { computeSuite } from '../../apps/admin/src/plan/plannedSuite.ts'
import { answering } from './plantedDifferences.ts'
import { deployerKey, type Rehearsal } from './rehearsal.ts'

/** A plan that must be refused. */
export interface BadPlan {
  title: string
  /** The fields that are wrong. Undefined removes one. */
  change?: (rehearsal: Rehearsal) => Record<string, unknown>
  /** What is wrong on the chain. It is rolled back afterwards. */
  prepare?: (rehearsal: Rehearsal) => Promise<unknown>
  /** What the refusal says. */
  reason: RegExp
}

const wallet = accounts.hana.address
const feedAbi = parseAbi(['function set(int256 answer, uint256 startedAt, uint256 updatedAt)'])

const setFeed = ({ client }: Rehearsal, address: `0x${string}`, args: readonly [bigint, bigint, bigint]) =>
  sendCall(client, accounts.guardian, { address, abi: feedAbi, functionName: 'set', args })
const readTime = async ({ client }: Rehearsal) => (await client.getBlock()).timestamp
const getUsdc = ({ plan }: Rehearsal) => plan.usdc
const getSequencerFeed = ({ plan }: Rehearsal) => getChainProfile(plan.chainId).sequencerFeed ?? zeroAddress
/** A court that asks Reality.eth. */
const askingCourt = { policy: 'https://market.example/court', minBondWei: '20000000000000000' }
const realityEth = base.realityEth

export const badPlans: readonly BadPlan[] = [
  { title: 'no governors', change: () => ({ timelock: { governors: [] } }), reason: /names no governors/ },
  { title: 'no timelock', change: () => ({ timelock: undefined }), reason: /timelock/ },
  { title: 'a zero treasury', change: () => ({ treasury: zeroAddress }), reason: /treasury.*zero address/ },
  { title: 'a zero final court', change: () => ({ finalCourt: zeroAddress }), reason: /finalCourt.*zero address/ },
  { title: 'a zero guardian', change: () => ({ guardian: zeroAddress }), reason: /guardian.*zero address/ },
  { title: 'a zero deployer', change: () => ({ deployer: zeroAddress }), reason: /deployer.*zero address/ },
  { title: 'a zero governor', change: () => ({ timelock: { governors: [zeroAddress] } }), reason: /timelock/ },
  { title: 'a zero holder of TOK', change: () => ({ tok: { mintTo: zeroAddress } }), reason: /tok/ },
  {
    title: 'an address without a checksum',
    change: ({ plan }) => ({ treasury: plan.treasury.toLowerCase() }),
    reason: /treasury.*checksum/,
  },
  {
    title: 'an address with a mistyped digit',
    change: ({ plan }) => ({ treasury: `${plan.treasury.slice(0, -1)}${plan.treasury.endsWith('0') ? '1' : '0'}` }),
    reason: /treasury.*checksum/,
  },
  { title: 'a field that does not exist', change: () => ({ gaurdian: wallet }), reason: /gaurdian/ },
  { title: 'no TOK', change: () => ({ tok: undefined }), reason: /tok/ },
  {
    title: 'both a new TOK and an old one',
    change: ({ plan }) => ({ tok: { mintTo: plan.treasury, address: plan.treasury } }),
    reason: /tok/,
  },
  { title: 'no oracle and no null', change: () => ({ oracle: undefined }), reason: /oracle/ },
  { title: 'a name with a space', change: () => ({ suite: 'my suite' }), reason: /suite/ },
  { title: 'an unknown chain', change: () => ({ chainId: 1 }), reason: /chainId/ },
  {
    title: 'the wrong chain',
    change: ({ plan }) => ({ chainId: plan.chainId === base.id ? 84532 : base.id }),
    reason: /chainId|USDC of/,
  },
  {
    title: 'the USDC of another chain',
    change: () => ({ usdc: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48' }),
    reason: /usdc: .* is not the USDC of/,
  },
  {
    title: 'a sequencer feed that is missing',
    change: () => ({ oracle: { priceFeed: mockFeed, sequencerFeed: null } }),
    reason: /sequencerFeed: missing/,
  },
  {
    title: 'another sequencer feed',
    change: () => ({ oracle: { priceFeed: mockFeed, sequencerFeed: mockFeed } }),
    reason: /sequencerFeed: .* is not the one/,
  },
  {
    title: 'a governor that is named twice',
    change: ({ governor }) => ({ timelock: { governors: [governor.address, governor.address] } }),
    reason: /named twice/,
  },
  {
    title: 'the deployer as governor',
    change: () => ({ timelock: { governors: [deployerKey.address] } }),
    reason: /governors: the deployer has no role/,
  },
  {
    title: 'the deployer as guardian',
    change: () => ({ guardian: deployerKey.address }),
    reason: /guardian: the deployer has no role/,
  },
  {
    title: 'the deployer as treasury',
    change: () => ({ treasury: deployerKey.address }),
    reason: /treasury: the deployer has no role/,
  },
  {
    title: 'the deployer as final court',
    change: () => ({ finalCourt: deployerKey.address }),
    reason: /finalCourt: the deployer has no role/,
  },
  {
    title: 'the deployer as holder of TOK',
    change: () => ({ tok: { mintTo: deployerKey.address } }),
    reason: /mintTo: the deployer has no role/,
  },
  {
    title: 'the treasury as final court',
    change: ({ plan }) => ({ finalCourt: plan.treasury }),
    reason: /finalCourt: the treasury/,
  },
  {
    title: 'the guardian as final court',
    change: ({ plan }) => ({ finalCourt: plan.guardian }),
    reason: /finalCourt: the guardian/,
  },
  {
    title: 'wallets that govern where money is real',
    change: () => ({ allowWalletGovernors: true }),
    reason: /only on a testnet/,
  },
  { title: 'a wallet as governor', change: () => ({ timelock: { governors: [wallet] } }), reason: /is a wallet/ },
  { title: 'a wallet as final court', change: () => ({ finalCourt: wallet }), reason: /finalCourt: .* is a wallet/ },
  {
    title: 'a final court that is no Safe',
    change: () => ({ finalCourt: mockFeed }),
    reason: /finalCourt: .* is not a Safe/,
  },
  {
    title: 'a final court that one key decides for',
    prepare: ({ client, plan }) =>
      client.setCode({ address: computeSuite(plan).shared.finalCourt, bytecode: answering(1n) }),
    reason: /finalCourt: the Safe .* needs only 1 signature/,
  },
  {
    title: 'another Reality.eth than that of the chain',
    change: () => ({ finalCourt: { ...askingCourt, reality: mockFeed } }),
    reason: /finalCourt.reality: .* is not the Reality.eth of/,
  },
  {
    title: 'a chain whose Reality.eth is something else',
    change: () => ({ finalCourt: { ...askingCourt, reality: realityEth } }),
    reason: /finalCourt.reality: .* is not Reality.eth/,
  },
  {
    title: 'a court with a bond that costs nothing',
    change: () => ({ finalCourt: { ...askingCourt, reality: realityEth, minBondWei: '1000000000000' } }),
    reason: /minBondWei: at least/,
  },
  {
    title: 'a policy that ends the question',
    change: () => ({ finalCourt: { ...askingCourt, reality: realityEth, policy: 'https://a.example/"' } }),
    reason: /finalCourt/,
  },
  { title: 'a wallet as treasury', change: () => ({ treasury: wallet }), reason: /treasury: .* is a wallet/ },
  {
    title: 'a Safe with one signature',
    prepare: ({ client, governor }) =>
      client.setStorageAt({ address: governor.address, index: 4, value: `0x${'0'.repeat(63)}1` }),
    reason: /needs only 1 signature/,
  },
  {
    title: 'a timelock without code',
    change: () => ({ timelock: { address: wallet } }),
    reason: /timelock: there is no contract/,
  },
  {
    title: 'a timelock that is a Safe',
    change: ({ governor }) => ({ timelock: { address: governor.address } }),
    reason: /is not a timelock/,
  },
  {
    title: 'USDC without code',
    prepare: (all) => all.client.setCode({ address: getUsdc(all), bytecode: '0x' }),
    reason: /usdc: there is no contract/,
  },
  {
    title: 'USDC with 18 decimals',
    prepare: (all) => all.client.setCode({ address: getUsdc(all), bytecode: answering(18n) }),
    reason: /usdc: .* has 18 decimals instead of 6/,
  },
  {
    title: 'a USDC with another symbol',
    prepare: (all) => all.client.setCode({ address: getUsdc(all), bytecode: answering(6n) }),
    reason: /symbol/,
  },
  { title: 'TOK without code', change: () => ({ tok: { address: wallet } }), reason: /tok: there is no contract/ },
  { title: 'USDC as TOK', change: ({ plan }) => ({ tok: { address: plan.usdc } }), reason: /tok: the same as usdc/ },
  {
    title: 'a TOK with 6 decimals',
    change: ({ governor }) => ({ tok: { address: governor.address } }),
    prepare: ({ client, governor }) => client.setCode({ address: governor.address, bytecode: answering(6n) }),
    reason: /tok: .* has 6 decimals instead of 18/,
  },
  {
    title: 'a price feed without code',
    prepare: ({ client }) => client.setCode({ address: mockFeed, bytecode: '0x' }),
    reason: /priceFeed: there is no contract/,
  },
  {
    title: 'a price feed without an answer',
    prepare: ({ client }) => client.setCode({ address: mockFeed, bytecode: '0x60006000fd' }),
    reason: /priceFeed: .* gives no answer/,
  },
  {
    title: 'a price of zero',
    prepare: async (all) => setFeed(all, mockFeed, [0n, 1n, await readTime(all)]),
    reason: /priceFeed: its answer is 0/,
  },
  {
    title: 'a negative price',
    prepare: async (all) => setFeed(all, mockFeed, [-1n, 1n, await readTime(all)]),
    reason: /priceFeed: its answer is -1/,
  },
  {
    title: 'a price of last week',
    prepare: async (all) => setFeed(all, mockFeed, [1n, 1n, (await readTime(all)) - BigInt(7 * oracleMaxAge)]),
    reason: /priceFeed: its answer is \d+ s old/,
  },
  {
    title: 'a price from the future',
    prepare: async (all) => setFeed(all, mockFeed, [1n, 1n, (await readTime(all)) + 9_999n]),
    reason: /from the future/,
  },
  {
    title: 'a sequencer that is down',
    prepare: (all) => setFeed(all, getSequencerFeed(all), [1n, 1n, 1n]),
    reason: /sequencer is down/,
  },
  {
    title: 'a sequencer feed without code',
    prepare: (all) => all.client.setCode({ address: getSequencerFeed(all), bytecode: '0x' }),
    reason: /sequencerFeed: there is no contract/,
  },
  {
    title: 'an oracle that gives no price',
    change: ({ governor }) => ({ oracle: { address: governor.address } }),
    reason: /oracle: .* gives no price/,
  },
  {
    title: 'no CREATE2 deployer',
    prepare: ({ client }) => client.setCode({ address: create2Deployer, bytecode: '0x' }),
    reason: /no CREATE2 deployer/,
  },
  {
    title: 'a look-alike of the CREATE2 deployer',
    prepare: ({ client }) => client.setCode({ address: create2Deployer, bytecode: '0x6000' }),
    reason: /is not the CREATE2 deployer/,
  },
  {
    title: 'a predecessor without code',
    change: () => ({
      predecessor: {
        standard: { taskLens: wallet, reputationRegistry: wallet },
        micro: { taskLens: accounts.ivo.address, reputationRegistry: wallet },
      },
    }),
    reason: /predecessor\.standard\.taskLens: there is no contract/,
  },
]
