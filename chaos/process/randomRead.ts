import type { MarketReader } from '@svc/chain'
import { type Market, markets } from '@svc/protocol'
import { computeLedger } from '@svc/protocol/internal/money'
import type { TaskSnapshot } from '@svc/protocol/internal/records'
import { computeReputationScore } from '@svc/protocol/records'
import { accruedAt, type Chain, type Oracle, type Simulation } from '@svc/simulation/chain'
import type { Random } from '@svc/simulation/random'
import { canonicalJson } from '../shared/findMismatch.ts'

/** Whether the answer could be compared, and what was wrong with it. */
interface ReadComparison {
  compared: boolean
  wrong: string | null
}

/** An answer, its block, and the expected value at a block. */
interface Answer {
  actual: unknown
  block: { number: bigint; hash: string }
  expectedAt: (block: number) => unknown
}

/** Returns a function that makes a random read of the index and compares it with the simulation at the same block. */
export function createRandomRead(
  { chain, oracle, wallets }: Simulation,
  reader: MarketReader,
): (random: Random) => Promise<ReadComparison> {
  const allAt = cacheLastBlocks(chain, oracle)
  const tasksAt =
    (market: Market) =>
    (block: number, holds: (task: TaskSnapshot) => boolean): TaskSnapshot[] =>
      allAt(block)[market].tasks.filter(holds).reverse().slice(0, 100)

  const reads: Record<string, (market: Market, random: Random) => Promise<Answer>> = {
    async head() {
      const block = await reader.head()
      return { actual: block.hash, block, expectedAt: (number) => chain.blockAt(number)?.hash }
    },
    async listOpen(market) {
      const { tasks, block } = await reader.listOpen(market, { limit: 100 })
      return {
        actual: tasks,
        block,
        expectedAt: (at) => tasksAt(market)(at, ({ claimableUntil }) => claimableUntil > 0),
      }
    },
    async listRecent(market) {
      const { tasks, block } = await reader.listRecent(market, { limit: 100 })
      return { actual: tasks, block, expectedAt: (at) => tasksAt(market)(at, () => true) }
    },
    async listByPoster(market, random) {
      const { address } = random.pick(wallets)
      const { tasks, block } = await reader.listByPoster(market, address, { limit: 100 })
      return { actual: tasks, block, expectedAt: (at) => tasksAt(market)(at, ({ poster }) => poster === address) }
    },
    async listByWorker(market, random) {
      const { address } = random.pick(wallets)
      const { tasks, block } = await reader.listByWorker(market, address, { limit: 100 })
      return { actual: tasks, block, expectedAt: (at) => tasksAt(market)(at, ({ worker }) => worker === address) }
    },
    async getTask(market, random) {
      const number = BigInt(1 + random.below(Number(oracle.taskCountAt(chain.head().number, market)) + 2))
      const { detail, block } = await reader.getTask(market, number)
      const actual = detail && [detail.task, detail.dispute]
      const expectedAt = (at: number) => {
        const task = oracle.taskAt(at, market, number)
        return task && [task, oracle.disputeAt(at, market, number)]
      }
      return { actual, block, expectedAt }
    },
    async getLedger(market, random) {
      const { address } = random.pick(wallets)
      const { ledger, block } = await reader.getLedger(market, address)
      return { actual: ledger, block, expectedAt: (at) => computeLedger(address, allAt(at)[market].tasks) }
    },
    async getUnion(market) {
      const { union, block } = await reader.getUnion(market)
      const { totalStaked, totalCreditsIssued, rewardReserve } = union
      const expectedAt = (at: number) => {
        const { own } = oracle.entriesAt(at, market)
        const accrued = accruedAt(own, block.timestamp)
        return [own.totalStaked, accrued.totalCreditsIssued, accrued.rewardReserve]
      }
      return { actual: [totalStaked, totalCreditsIssued, rewardReserve], block, expectedAt }
    },
    async getAgent(market, random) {
      const { address } = random.pick(wallets)
      const { agent, block } = await reader.getAgent(market, address)
      return { actual: agent, block, expectedAt: (at) => oracle.agentAt(at, market, address) }
    },
    async listAgents(market) {
      const { agents, block } = await reader.listAgents(market, 100)
      const scores = agents.map(computeReputationScore)
      const expectedAt = (at: number) => agents.map(({ address }) => oracle.agentAt(at, market, address))
      return {
        actual: scores.some((score, i) => score > (scores[i - 1] ?? score)) ? scores : agents,
        block,
        expectedAt,
      }
    },
    async listArbitrators(market) {
      const { arbitrators, block } = await reader.listArbitrators(market, 100)
      const byAddress = (a: { address: string }, b: { address: string }) => (a.address < b.address ? -1 : 1)
      const expectedAt = (at: number) => allAt(at)[market].arbitrators.toSorted(byAddress)
      return { actual: arbitrators.toSorted(byAddress), block, expectedAt }
    },
  }
  const names = Object.keys(reads)

  return async (random) => {
    const [name, market] = [random.pick(names), random.pick(markets)]
    const { actual, block, expectedAt } = await (reads[name] as (typeof reads)[string])(market, random)
    // The block was reorganised out meanwhile, so nothing can be compared.
    if (chain.blockAt(Number(block.number))?.hash !== block.hash) return { compared: false, wrong: null }
    const [ours, theirs] = [canonicalJson(actual), canonicalJson(expectedAt(Number(block.number)))]
    const difference = `${name} of ${market} at block ${block.number}: ${ours}, not ${theirs}`
    return { compared: true, wrong: ours === theirs ? null : difference.slice(0, 4_000) }
  }
}

/** Caches the simulation's state at the last few blocks, which many reads share. */
function cacheLastBlocks(chain: Chain, oracle: Oracle): Oracle['allAt'] {
  const kept = new Map<string, ReturnType<Oracle['allAt']>>()
  return (block) => {
    const hash = chain.blockAt(block)?.hash ?? ''
    const found = kept.get(hash) ?? oracle.allAt(block)
    kept.set(hash, found)
    if (kept.size > 8) kept.delete(kept.keys().next().value ?? '')
    return found
  }
}
