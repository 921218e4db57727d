import { atHead, getStanding } from '@svc/chain'
import { askGateway } from './askGateway.ts'
import type { Markets } from './market.ts'
import { readTexts } from './readTexts.ts'
import { readWallet } from './readWallet.ts'
import type { ToolDeps } from './tool.ts'

/** What tools ask, over the chain and the local gateway. */
export function createToolDeps({ deployments, places, providers, reader }: Markets, gatewayUrl: string): ToolDeps {
  return {
    deployments,
    reader,
    readTexts: (market, tasks) => readTexts(providers, places, market, tasks),
    readStanding: (taskId, wallet) =>
      atHead(providers, async (provider, block) => ({
        standing: await getStanding(provider, places.markets[taskId.market], taskId, [wallet], block),
      })),
    readWallet: (market, wallet) => readWallet(providers, places, market, wallet),
    askGateway: (path) => askGateway(gatewayUrl, path),
  }
}
