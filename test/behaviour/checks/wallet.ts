// The API about wallets: ledgers, records, inboxes, profiles and what they can do.
import { accounts } from '@svc/devnet'
import { type Market, markets } from '@svc/protocol'
import { tokTokenAbi } from '@svc/protocol/abis'
import type { Address } from 'viem'
import { assertEqual } from '../assertEqual.ts'
import type { Check } from '../call.ts'
import { describeAgent, describeMeta, findLine, isWallet, rankAgents } from '../expected.ts'
import { findAgent, listContrasts, type MarketFacts, scoreFormula, type TaskFact } from '../facts.ts'
import { describeProfile, describeRecord } from '../trackRecord.ts'
import type { BehaviourWorld } from '../world.ts'

const sum = (tasks: readonly TaskFact[], amount: (task: TaskFact) => bigint) =>
  tasks.reduce((total, task) => total + amount(task), 0n)
const held = ({ funded, released, refunded }: TaskFact) => funded - released - refunded
const isDisputed = ({ state }: TaskFact) => state === 'DISPUTED'

export function listWalletChecks(world: BehaviourWorld) {
  const { facts } = world

  /** Compares what is said about each wallet in each market, and what is said without a wallet. */
  const checkWallets =
    (
      to: string,
      people: readonly Address[],
      describe: (of: MarketFacts, wallet: Address) => object | Promise<object>,
    ): Check =>
    async (call) => {
      for (const market of markets) {
        for (const address of people) {
          const answer = await call({ to, input: { address, market } })
          assertEqual(
            answer,
            { status: 200, body: await describe(facts[market], address) },
            `${to} ${address} ${market}`,
          )
        }
      }
      const [address] = people
      if (!address) throw new Error('Nobody to ask about.')
      const preset = await call({ to, input: { address } })
      assertEqual(preset.body, await describe(facts.standard, address), `${to} without a market`)
      const refused = await call({ to, input: {} })
      assertEqual(refused, { status: 400, body: walletRequired }, `${to} without a wallet`)
    }

  return {
    'GET /api/get-market-ledger': checkWallets(
      'GET /api/get-market-ledger',
      [accounts.ada.address, accounts.emeka.address, accounts.goran.address],
      (of, address) => {
        const posted = of.tasks.filter(({ poster }) => isWallet(poster, address))
        const taken = of.tasks.filter(({ worker }) => isWallet(worker, address))
        return {
          address,
          market: of.market,
          buyer: {
            fundedTokWei: sum(posted, ({ funded }) => funded),
            lockedTokWei: sum(posted, (task) => (isDisputed(task) ? 0n : held(task))),
            releasedTokWei: sum(posted, ({ released }) => released),
            refundedTokWei: sum(posted, ({ refunded }) => refunded),
            disputedTokWei: sum(posted, (task) => (isDisputed(task) ? held(task) : 0n)),
            taskCount: posted.length,
          },
          worker: {
            lockedTokWei: sum(taken, (task) => (isDisputed(task) ? 0n : held(task))),
            releasedTokWei: sum(taken, ({ released }) => released),
            disputedTokWei: sum(taken, (task) => (isDisputed(task) ? held(task) : 0n)),
            taskCount: taken.length,
          },
          meta: describeMeta(world, of.market),
        }
      },
    ),

    'GET /api/leaderboard': checkLeaderboard(world, 'GET /api/leaderboard', 'index'),

    'GET /api/profiles': async (call) => {
      const to = 'GET /api/profiles'
      const stranger = '0x00000000000000000000000000000000000000AA'
      const people = [...new Set([accounts.goran.address, accounts.kofi.address, ...listContrasts(facts)])]
      const nothing = { completedAsPoster: 0, completedAsWorker: 0, earnedTokWei: '0', paidTokWei: '0', score: 0 }
      const more = { completed: 0, disputesWon: 0, disputesLost: 0, leaves: 0, dismissals: 0, lapses: 0 }
      for (const market of markets) {
        const answer = await call({ to, input: { market, addresses: [...people, stranger].join(',') } })
        const profiles = [
          ...people.map((address) => describeAgent(findAgent(facts[market], address))),
          { address: stranger, ...nothing, ...more, distinctCounterparties: 0 },
        ]
        const body = { profiles, formula: scoreFormula, meta: describeMeta(world, market) }
        assertEqual(answer, { status: 200, body }, `${to} ${market}`)
      }
    },

    'GET /api/names': async (call) => {
      const people = [accounts.farah, accounts.newcomer, accounts.emeka].map(({ address }) => address)
      const answer = await call({ to: 'GET /api/names', input: { addresses: people.join(',') } })
      const names = [
        { address: accounts.farah.address, name: 'Farah', picture: null, kind: 'person' },
        { address: accounts.emeka.address, name: 'Emeka', picture: null, kind: 'person' },
      ]
      assertEqual(answer, { status: 200, body: { names } }, 'GET /api/names')
    },

    'GET /api/wallet': checkWallets(
      'GET /api/wallet',
      [accounts.ada.address, accounts.kofi.address, accounts.nadia.address, accounts.newcomer.address],
      async (of, address) => {
        const agent = findAgent(of, address)
        const arbitrator = of.arbitrators.find((each) => each.address === address)
        const { client, deployments } = world.devnet
        const read = (token: Address) =>
          client.readContract({ address: token, abi: tokTokenAbi, functionName: 'balanceOf', args: [address] })
        const { score, completedAsPoster, completedAsWorker, distinctCounterparties } = agent
        const { disputesWon, disputesLost, leaves, dismissals, lapses } = agent
        return {
          address,
          market: of.market,
          tokWei: await read(deployments.shared.tokToken),
          usdcUnits: await read(deployments.shared.usdc),
          deposit: {
            usdcUnits: agent.deposit,
            reservedUnits: agent.reserved,
            freeUnits: agent.free,
            withdrawableUnits: agent.withdrawable,
            line: findLine(agent.deposit),
          },
          creditsWei: agent.credits,
          stakedTokWei: agent.staked,
          rewardsTokWei: agent.rewards,
          payoutsTokWei: agent.payouts,
          awardsTokWei: agent.awards,
          reputation: {
            score,
            completedAsPoster,
            completedAsWorker,
            distinctCounterparties,
            disputesWon,
            disputesLost,
            leaves,
            dismissals,
            lapses,
          },
          arbitrator: arbitrator
            ? {
                bondTokWei: arbitrator.bond,
                lockedTokWei: arbitrator.locked,
                openCases: arbitrator.openCases,
                resolved: arbitrator.resolved,
                timedOut: arbitrator.timedOut,
                overturned: arbitrator.overturned,
                unbondAt: arbitrator.unbondAt || null,
              }
            : null,
          meta: describeMeta(world, of.market, 'chain'),
        }
      },
    ),

    'GET /api/wallet/record': checkWallets(
      'GET /api/wallet/record',
      [accounts.ada.address, accounts.emeka.address],
      (of, address) => ({ ...describeRecord(of, address), meta: describeMeta(world, of.market) }),
    ),

    'GET /api/wallet/profile': checkWallets(
      'GET /api/wallet/profile',
      [accounts.emeka.address, accounts.ada.address],
      (of, address) => ({
        record: describeRecord(of, address),
        selfDeclared: describeProfile(world, address),
        selfDeclaredStatus: describeProfile(world, address) ? 'published' : 'none',
        meta: describeMeta(world, of.market),
      }),
    ),

    'GET /api/agents/search': async (call) => {
      const to = 'GET /api/agents/search'
      const describe = (market: Market, wallets: readonly Address[]) => ({
        agents: wallets
          .map((wallet) => ({
            record: describeAgent(findAgent(facts[market], wallet)),
            selfDeclared: describeProfile(world, wallet),
          }))
          .toSorted((a, b) => b.record.score - a.record.score),
        truncated: false,
        meta: { ...describeMeta(world, market), nextCursor: null },
      })
      const { emeka, farah } = accounts
      for (const market of markets) {
        const both = await call({ to, input: { market, skill: 'translation' } })
        assertEqual(both, { status: 200, body: describe(market, [emeka.address, farah.address]) }, `${to} ${market}`)
        for (const [input, wallet] of [
          [{ language: 'pt-BR' }, emeka.address],
          [{ words: 'birds' }, farah.address],
        ] as const) {
          const one = await call({ to, input: { market, ...input } })
          assertEqual(one.body, describe(market, [wallet]), `${to} ${JSON.stringify(input)}`)
        }
        const [first] = describe(market, [emeka.address, farah.address]).agents
        const page = await call({ to, input: { market, skill: 'translation', limit: 1 } })
        const nextCursor = Buffer.from(`${first?.record.score}:${first?.record.address.toLowerCase()}`).toString(
          'base64url',
        )
        assertEqual(
          page.body,
          { agents: [first], truncated: false, meta: { ...describeMeta(world, market), nextCursor } },
          'the first page',
        )
      }
    },
  } satisfies Record<string, Check>
}

/** The answer to a request that names no wallet. */
export const walletRequired = {
  error: 'a wallet address is required: 0x and 40 hex digits.',
  code: 'INVALID_ADDRESS',
}

/** Compares the leaderboard of each market, whole and cut. */
export const checkLeaderboard =
  (world: BehaviourWorld, to: string, path: 'index' | 'chain'): Check =>
  async (call) => {
    for (const market of markets) {
      const agents = rankAgents(world.facts[market]).map(describeAgent)
      for (const limit of [null, 2]) {
        const answer = await call({ to, input: { market, ...(limit !== null && { limit }) } })
        const meta = describeMeta(world, market, path)
        const body = { agents: limit === null ? agents : agents.slice(0, limit), formula: scoreFormula, meta }
        assertEqual(answer, { status: 200, body }, `${to} ${market}`)
      }
    }
  }
