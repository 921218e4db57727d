import type { MarketReader } from '@svc/chain'
import { type Market, markets } from '@svc/protocol'
import { ledgerOf, reputationScore, type TaskRecord } from '@svc/protocol/records'
import { text } from '../index/truth.ts'
import type { Chain } from '../sim/chain.ts'
import type { Oracle } from '../sim/oracle.ts'
import type { Random } from '../sim/random.ts'
import type { Simulation } from '../sim/simulation.ts'
import { accruedAt } from '../sim/suite/staking.ts'

/** Whether the answer could be compared, and what was wrong with it. */
interface Judged {
  judged: boolean
  wrong: string | null
}

/** What was answered, the block it names, and what is true there. */
interface Answer {
  said: unknown
  block: { number: bigint; hash: string }
  truth: (block: number) => unknown
}

/** Asks one of all the questions that an index answers, and compares the answer with what is true at its block. */
export function createQuestions(
  { chain, oracle, wallets }: Simulation,
  reader: MarketReader,
): (random: Random) => Promise<Judged> {
  const allAt = lastOf(chain, oracle)
  const tasksAt =
    (market: Market) =>
    (block: number, holds: (task: TaskRecord) => boolean): TaskRecord[] =>
      allAt(block)[market].tasks.filter(holds).reverse().slice(0, 100)

  const questions: Record<string, (market: Market, random: Random) => Promise<Answer>> = {
    async head() {
      const block = await reader.head()
      return { said: block.hash, block, truth: (number) => chain.blockAt(number)?.hash }
    },
    async listOpen(market) {
      const { tasks, block } = await reader.listOpen(market, { limit: 100 })
      return { said: tasks, block, truth: (at) => tasksAt(market)(at, ({ state }) => state === 'POSTED') }
    },
    async listRecent(market) {
      const { tasks, block } = await reader.listRecent(market, { limit: 100 })
      return { said: tasks, block, truth: (at) => tasksAt(market)(at, () => true) }
    },
    async listByPoster(market, random) {
      const { address } = random.pick(wallets)
      const { tasks, block } = await reader.listByPoster(market, address, { limit: 100 })
      return { said: tasks, block, truth: (at) => tasksAt(market)(at, ({ poster }) => poster === address) }
    },
    async listByWorker(market, random) {
      const { address } = random.pick(wallets)
      const { tasks, block } = await reader.listByWorker(market, address, { limit: 100 })
      return { said: tasks, block, truth: (at) => tasksAt(market)(at, ({ worker }) => worker === address) }
    },
    async getTask(market, random) {
      const number = BigInt(1 + random.below(Number(oracle.taskCountAt(chain.head().number, market)) + 2))
      const { detail, block } = await reader.getTask(market, number)
      const said = detail && [detail.task, detail.dispute]
      const truth = (at: number) => {
        const task = oracle.taskAt(at, market, number)
        return task && [task, oracle.disputeAt(at, market, number)]
      }
      return { said, block, truth }
    },
    async getLedger(market, random) {
      const { address } = random.pick(wallets)
      const { ledger, block } = await reader.getLedger(market, address)
      return { said: ledger, block, truth: (at) => ledgerOf(address, allAt(at)[market].tasks) }
    },
    async getUnion(market) {
      const { union, block } = await reader.getUnion(market)
      const { totalStaked, totalCreditsIssued, rewardReserve } = union
      const truth = (at: number) => {
        const { own } = oracle.entriesAt(at, market)
        const accrued = accruedAt(own, block.timestamp)
        return [own.totalStaked, accrued.totalCreditsIssued, accrued.rewardReserve]
      }
      return { said: [totalStaked, totalCreditsIssued, rewardReserve], block, truth }
    },
    async getAgent(market, random) {
      const { address } = random.pick(wallets)
      const { agent, block } = await reader.getAgent(market, address)
      return { said: agent, block, truth: (at) => oracle.agentAt(at, market, address) }
    },
    async listAgents(market) {
      const { agents, block } = await reader.listAgents(market, 100)
      const scores = agents.map(reputationScore)
      const truth = (at: number) => agents.map(({ address }) => oracle.agentAt(at, market, address))
      return { said: scores.some((score, i) => score > (scores[i - 1] ?? score)) ? scores : agents, block, truth }
    },
    async listArbitrators(market) {
      const { arbitrators, block } = await reader.listArbitrators(market, 100)
      const byAddress = (a: { address: string }, b: { address: string }) => (a.address < b.address ? -1 : 1)
      const truth = (at: number) => allAt(at)[market].arbitrators.toSorted(byAddress)
      return { said: arbitrators.toSorted(byAddress), block, truth }
    },
  }
  const names = Object.keys(questions)

  return async (random) => {
    const [name, market] = [random.pick(names), random.pick(markets)]
    const { said, block, truth } = await (questions[name] as (typeof questions)[string])(market, random)
    // A block that the chain left meanwhile: nothing can be said.
    if (chain.blockAt(Number(block.number))?.hash !== block.hash) return { judged: false, wrong: null }
    const [ours, theirs] = [text(said), text(truth(Number(block.number)))]
    const told = `${name} of ${market} at block ${block.number}: ${ours}, not ${theirs}`
    return { judged: true, wrong: ours === theirs ? null : told.slice(0, 4_000) }
  }
}

/** Everything at a block; the last ones are kept, since many ask about the same. */
function lastOf(chain: Chain, oracle: Oracle): Oracle['allAt'] {
  const kept = new Map<string, ReturnType<Oracle['allAt']>>()
  return (block) => {
    const hash = chain.blockAt(block)?.hash ?? ''
    const found = kept.get(hash) ?? oracle.allAt(block)
    kept.set(hash, found)
    if (kept.size > 8) kept.delete(kept.keys().next().value ?? '')
    return found
  }
}
