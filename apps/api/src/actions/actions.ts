import {
  atHead,
  type BlockRef,
  type Deployments,
  getStanding,
  getWallet,
  marketPlaces,
  type Provider,
  type Providers,
  prepareAction,
  UnknownTaskError,
  type WalletRecord,
} from '@svc/chain'
import type { Market, TaskId } from '@svc/protocol'
import type { AnyAction } from '@svc/protocol/actions'
import { type PreparedJson, type StepJson, stepsJsonOf } from '@svc/protocol/http'
import { awayError, explainPreparing } from '@svc/serve'
import type { Address } from 'viem'
import { createTurns } from '../posting/turns.ts'

/** What is asked of the chain on behalf of one wallet; never of the index, which knows no allowances and plays nothing. */
export interface Actions {
  prepare: (action: AnyAction, input: Readonly<Record<string, unknown>>, from: Address) => Promise<PreparedJson>
  steps: (taskId: TaskId, wallet: Address) => Promise<{ steps: StepJson[]; block: BlockRef }>
  wallet: (market: Market, wallet: Address) => Promise<WalletRecord & { block: BlockRef }>
}

export interface ActionsOptions {
  providers: Providers
  places: Deployments
}

/** So many are worked on at once, and so many wait: each costs a provider some ten calls. */
const [atOnce, inLine] = [16, 200]

/** Reads for wallets, straight from the chain. */
export function createActions({ providers, places: deployments }: ActionsOptions): Actions {
  const places = marketPlaces(deployments)
  const turn = createTurns(atOnce, inLine, () => awayError('BUSY', 'Too many wallets are asking.'))
  const ask = <T>(read: () => Promise<T>): Promise<T> => turn(() => read().catch(explainPreparing))

  return {
    prepare: (action, input, from) => ask(() => prepareAction(providers, places, { action, input, from })),
    steps: (taskId, wallet) =>
      ask(() =>
        atHead(providers, async (provider: Provider, block) => {
          const standing = await getStanding(provider, places.markets[taskId.market], taskId, [wallet], block)
          return { steps: standing && stepsJsonOf(standing, wallet, block.timestamp) }
        }).then(({ steps, block }) => {
          if (!steps) throw new UnknownTaskError(taskId)
          return { steps, block }
        }),
      ),
    wallet: (market, wallet) =>
      ask(() => atHead(providers, (provider, block) => getWallet(provider, places.markets[market], wallet, block))),
  }
}
