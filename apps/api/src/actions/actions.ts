import {
  type BlockRef,
  type Court,
  type CourtCases,
  type Deployments,
  getMarketDeployment,
  getTaskContext,
  getWallet,
  type PayFrom,
  type Provider,
  type Providers,
  prepareActionJson,
  readAtHead,
  readCourt,
  readCourtCases,
  UnknownTaskError,
  type WalletRecord,
} from '@svc/chain'
import { type BlockedJson, formatBlocked, formatSteps, type PreparedJson, type StepJson } from '@svc/operations'
import type { Market, TaskId } from '@svc/protocol'
import type { AnyAction } from '@svc/protocol/actions'
import { rethrowPrepareError } from '@svc/serve'
import type { Address } from 'viem'

/** Reads and simulations on the chain for one wallet. The index has no allowances and cannot simulate. */
export interface Actions {
  prepare: (
    action: AnyAction,
    input: Readonly<Record<string, unknown>>,
    from: Address,
    payFrom?: PayFrom,
  ) => Promise<PreparedJson>
  steps: (taskId: TaskId, wallet: Address) => Promise<{ steps: StepJson[]; blocked: BlockedJson[]; block: BlockRef }>
  wallet: (market: Market, wallet: Address) => Promise<WalletRecord & { block: BlockRef }>
  /** The final court, and the cases that wait for it. */
  court: (market: Market) => Promise<CourtCases & { court: Court; block: BlockRef }>
  /** What the final court is. Read once: of what is shown, only the signatures of a Safe can change. */
  courtKind: () => Promise<Court>
}

export interface ActionsOptions {
  providers: Providers
  deployments: Deployments
}

/** Reads for wallets, directly from the chain. The same read at the same block is made once. */
export function createActions({ providers, deployments }: ActionsOptions): Actions {
  const deployment = getMarketDeployment(deployments)
  const once = createBlockMemory()
  const ask = <T extends object>(key: string, read: (provider: Provider, block: BlockRef) => Promise<T>) =>
    readAtHead(providers, (provider, block) =>
      once(`${provider.rpc.name} ${block.hash}`, key, () => read(provider, block)),
    ).catch(rethrowPrepareError)

  let kind: Promise<Court> | undefined

  return {
    prepare: (action, input, from, payFrom) =>
      prepareActionJson(providers, deployment, { action, input, from, payFrom }).catch(rethrowPrepareError),
    async steps(taskId, wallet) {
      const { market, number } = taskId
      const { found, block } = await ask(`steps ${market} ${number} ${wallet}`, async (provider, block) => {
        const context = await getTaskContext(provider, deployment.markets[market], taskId, [wallet], block)
        if (!context) return { found: null }
        const now = block.timestamp
        return { found: { steps: formatSteps(context, wallet, now), blocked: formatBlocked(context, wallet, now) } }
      })
      if (!found) return rethrowPrepareError(new UnknownTaskError(taskId))
      return { ...found, block }
    },
    court: (market) =>
      ask(`court ${market}`, async (provider, block) => ({
        court: await readCourt(provider, deployments),
        ...(await readCourtCases(provider, deployment.markets[market], block)),
      })),
    courtKind() {
      kind ??= providers.read((provider) => readCourt(provider, deployments))
      kind.catch(() => {
        kind = undefined
      })
      return kind
    },
    wallet: (market, wallet) =>
      ask(`wallet ${market} ${wallet}`, (provider, block) =>
        getWallet(provider, deployment.markets[market], wallet, block),
      ),
  }
}

/** Keeps answers that are true at one block of one provider, also while they are read: the same question about the same block is read once. */
type BlockMemory = <T>(block: string, key: string, read: () => Promise<T>) => Promise<T>

/** Keeps at most `max` answers, the newest. A failure is not kept. */
function createBlockMemory(max = 1_000): BlockMemory {
  const answers = new Map<string, Promise<unknown>>()
  return <T>(block: string, key: string, read: () => Promise<T>) => {
    const name = `${block} ${key}`
    // The key says which question it is, and so which type its answer has.
    const found = answers.get(name) as Promise<T> | undefined
    if (found) return found
    const answer = read()
    answer.catch(() => answers.delete(name))
    answers.set(name, answer)
    const [oldest] = answers.keys()
    if (answers.size > max && oldest !== undefined) answers.delete(oldest)
    return answer
  }
}
