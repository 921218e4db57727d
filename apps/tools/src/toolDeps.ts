import { createChainVerifier, getTaskContext, readAtHead, readTaskSnapshots, readTexts } from '@svc/chain'
import { askGateway } from './askGateway.ts'
import { readCourtDesk } from './court.ts'
import { createDrafts } from './drafts.ts'
import type { Markets } from './market.ts'
import { createGatewayClient } from './prepare/gatewayClient.ts'
import { requestApproval } from './prepare/sendToGateway.ts'
import { prepareForWallet } from './prepareForWallet.ts'
import { createProfileFinder } from './profiles.ts'
import { readWallet } from './readWallet.ts'
import { createTaskFinder } from './taskFinder.ts'
import type { ToolDeps, ToolWork } from './tool.ts'
import { createToolWork } from './work/toolWork.ts'

/** Creates the dependencies of the tools from the chain and the local gateway. */
export function createToolDeps(
  markets: Markets,
  gatewayUrl: string,
  apiUrl?: string,
  work: ToolWork = createToolWork(markets, {}, ''),
): ToolDeps {
  const { deployments, places, providers, reader } = markets
  return {
    deployments,
    reader,
    readTexts: (market, tasks) => providers.read((provider) => readTexts(provider, places.markets[market], tasks)),
    readTasks: (market, numbers) =>
      readAtHead(providers, async (provider, block) => ({
        tasks: await readTaskSnapshots(provider, market, places.markets[market], numbers, block),
      })),
    readTaskContext: (taskId, wallet) =>
      readAtHead(providers, async (provider, block) => ({
        context: await getTaskContext(provider, places.markets[taskId.market], taskId, [wallet], block),
      })),
    readWallet: (market, wallet) => readWallet(providers, places, market, wallet),
    readCourt: (market) => readCourtDesk(markets, market),
    work,
    drafts: createDrafts(),
    findTasks: createTaskFinder(apiUrl),
    profiles: createProfileFinder({
      apiUrl,
      chainId: deployments.chainId,
      verifySignature: createChainVerifier(providers),
    }),
    askGateway: (path) => askGateway(gatewayUrl, path),
    prepare: (action, input, wallet, payFrom) => prepareForWallet(action, input, wallet, { markets, apiUrl, payFrom }),
    requestApproval: (prepared, payFrom) =>
      requestApproval(createGatewayClient(gatewayUrl), prepared, payFrom, 'svc-tools'),
  }
}
