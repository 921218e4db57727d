import {
  type BlockRef,
  type Deployments,
  getMarketDeployment,
  getTaskContext,
  getWallet,
  type Provider,
  type Providers,
  prepareActionJson,
  readAtHead,
  UnknownTaskError,
  type WalletRecord,
} from '@svc/chain'
import {
  type BlockedJson,
  formatBlocked,
  formatSteps,
  type PreparedJson,
  type StepJson,
  unavailable,
} from '@svc/operations'
import type { Market, TaskId } from '@svc/protocol'
import type { AnyAction } from '@svc/protocol/actions'
import { createSemaphore, rethrowPrepareError } from '@svc/serve'
import type { Address } from 'viem'

/** Reads and simulations on the chain for one wallet. The index has no allowances and cannot simulate. */
export interface Actions {
  prepare: (action: AnyAction, input: Readonly<Record<string, unknown>>, from: Address) => Promise<PreparedJson>
  steps: (taskId: TaskId, wallet: Address) => Promise<{ steps: StepJson[]; blocked: BlockedJson[]; block: BlockRef }>
  wallet: (market: Market, wallet: Address) => Promise<WalletRecord & { block: BlockRef }>
}

export interface ActionsOptions {
  providers: Providers
  deployments: Deployments
}

/** Requests that run at once, and requests that wait. Each costs a provider about ten calls. */
const [maxRunning, maxWaiting] = [16, 200]

/** Reads for wallets, directly from the chain. */
export function createActions({ providers, deployments }: ActionsOptions): Actions {
  const deployment = getMarketDeployment(deployments)
  const limit = createSemaphore(maxRunning, maxWaiting, () =>
    unavailable('BUSY', 'Too many wallet requests are waiting.'),
  )
  const ask = <T>(read: () => Promise<T>): Promise<T> => limit(() => read().catch(rethrowPrepareError))

  return {
    prepare: (action, input, from) => ask(() => prepareActionJson(providers, deployment, { action, input, from })),
    steps: (taskId, wallet) =>
      ask(() =>
        readAtHead(providers, async (provider: Provider, block) => {
          const context = await getTaskContext(provider, deployment.markets[taskId.market], taskId, [wallet], block)
          if (!context) return { found: null }
          const now = block.timestamp
          return { found: { steps: formatSteps(context, wallet, now), blocked: formatBlocked(context, wallet, now) } }
        }).then(({ found, block }) => {
          if (!found) throw new UnknownTaskError(taskId)
          return { ...found, block }
        }),
      ),
    wallet: (market, wallet) =>
      ask(() =>
        readAtHead(providers, (provider, block) => getWallet(provider, deployment.markets[market], wallet, block)),
      ),
  }
}
