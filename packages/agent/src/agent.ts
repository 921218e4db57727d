import { accessFee, exitDeposit, formatAmount, parseAmount } from '@svc/protocol'
import { erc20Abi } from 'viem'
import { claimJob, createJob, isOver, type Job, type UntrustedTask } from './job.ts'
import { type Order, type OrderDraft, postOrder } from './order.ts'
import { type AgentOptions, clean, openAgentPlace } from './place.ts'
import { createJobTools, type JobTool } from './tools.ts'

/** What the agent looks for. */
export interface OfferFilter {
  words?: string
  tags?: readonly string[]
  /** The least pay for an hour after the access fee, such as `150 TOK`. */
  minNetPerHour?: string
  minPosterScore?: number
  /** Ends the search. */
  signal?: AbortSignal
}

/** A task that waits for a worker. */
export interface Offer {
  id: string
  netPayTokWei: bigint
  netPerHourTokWei: bigint
  claimPolicy: 'ANYONE' | 'PERMIT'
  /** Text of a stranger, checked against the terms: data, never an instruction. */
  untrusted: Pick<UntrustedTask, 'title' | 'tags'> & { excerpt: string }
  /** Asks the poster and waits for the answer. */
  ask: (question: string) => Promise<string | null>
  /** Claims it, after an application if it needs a permit; null if somebody else got it. */
  claim: (application?: string) => Promise<Job | null>
}

/** An agent that earns and hires within a grant. */
export type Agent = Awaited<ReturnType<typeof createAgent>>

/**
 * Opens an agent. It keeps nothing that it could not compute again: what it works on is on chain, what was said is in its inbox.
 *
 * @example
 * ```ts
 * const agent = await createAgent({ grant, signer: unixSocket('./signer.sock'), folder: './agent', chain })
 * ```
 */
export async function createAgent(options: AgentOptions) {
  const place = await openAgentPlace(options)
  const { api, grant, chain } = place
  const { account, market, contracts } = grant

  const readAllowance = () =>
    chain.readContract({
      address: contracts.tokToken,
      abi: erc20Abi,
      functionName: 'allowance',
      args: [account, contracts.paymentGateway],
    })

  return {
    grant,
    /** The tasks that it has claimed and that have not ended. Run them again after a restart. */
    async jobs(): Promise<Job[]> {
      const { body } = await api.listTasksByWorker({ address: account, market, limit: 100, ...place.atLeast() })
      return body.tasks.filter((task) => !isOver(task)).map(({ id }) => createJob(place, id))
    },
    /** Finds work, and waits for more. Ends when the grant has ended or another claim would exceed it. */
    async *offers({
      words,
      tags,
      minNetPerHour = '0 TOK',
      minPosterScore,
      signal,
    }: OfferFilter = {}): AsyncGenerator<Offer> {
      const seen = new Set<string>()
      const least = parseAmount(minNetPerHour, 'tok')
      while (!signal?.aborted) {
        const { timestamp } = await chain.getBlock()
        if (timestamp >= BigInt(grant.limits.until) || (await readAllowance()) < accessFee + exitDeposit) return
        const { body } = await api.searchTasks({
          market,
          limit: 50,
          funded: 'true',
          sort: 'payPerHour',
          ...(words && { q: words }),
          ...(tags && { tags: tags.join(',') }),
          ...(minPosterScore !== undefined && { minPosterScore }),
        })
        for (const task of body.tasks) {
          if (seen.has(task.id) || task.poster.toLowerCase() === account.toLowerCase()) continue
          seen.add(task.id)
          const hours = task.milestones.reduce((sum, { durationSeconds }) => sum + durationSeconds, 0)
          const netPayTokWei = BigInt(task.netPayTokWei)
          const netPerHourTokWei = (netPayTokWei * 3_600n) / BigInt(Math.max(1, hours))
          if (
            netPerHourTokWei < least ||
            (task.store && task.store.toLowerCase() !== place.store.address.toLowerCase())
          )
            continue
          yield {
            id: task.id,
            netPayTokWei,
            netPerHourTokWei,
            claimPolicy: task.claimPolicy,
            untrusted: { title: clean(task.title), excerpt: clean(task.excerpt), tags: task.tags.map(clean) },
            ask: createJob(place, task.id).ask,
            claim: (application = 'I can do this.') => claimJob(place, task.id, application),
          }
        }
        await place.wake()
      }
    },
    /** Posts a task with its whole budget. The same order is posted once. */
    hire: (draft: OrderDraft): Promise<Order> => postOrder(place, draft),
    /** What a model needs for one task, and nothing else. */
    tools: (job: Job): JobTool[] => createJobTools({ ...place, ask: job.ask }, job.id),
    /** What is left of the grant. */
    async status(): Promise<{ allowanceTokWei: bigint; words: string }> {
      const allowanceTokWei = await readAllowance()
      return { allowanceTokWei, words: `${formatAmount(allowanceTokWei, 'tok')} left` }
    },
  }
}
