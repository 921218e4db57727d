import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { createProviders, createRpc, createViemChain } from '@svc/chain'
import { multicall3 } from '@svc/devnet'
import { formatTaskId } from '@svc/protocol'
import { createClientResolver, type FairQueue } from '@svc/serve'
import { createActions } from '../../apps/api/src/actions/actions.ts'
import { startBareService } from '../../test/harness/bareService.ts'
import { startDemoWorld } from '../../test/harness/demoWorld.ts'

/** Starts an API over the demo world whose provider takes this long for every call. */
export async function startSlowApi(latencyMs: number, chainQueue: FairQueue) {
  const { devnet, tasks } = await startDemoWorld()
  const [task] = tasks
  if (!task) throw new Error('The demo world has no task.')
  const provider = new Worker(new URL('slowProvider.ts', import.meta.url), {
    workerData: { url: devnet.rpcUrl, latencyMs },
  })
  const [url] = (await once(provider, 'message')) as [string]
  const providers = createProviders(
    [createRpc({ name: 'slow', url })],
    createViemChain(devnet.deployments.chainId, multicall3),
  )
  const service = await startBareService({
    deployments: devnet.deployments,
    actions: createActions({ providers, deployments: devnet.deployments }),
    chainQueue,
    resolveClient: createClientResolver(['127.0.0.1']),
    perMinute: { reads: 6_000, calls: 300 },
  })
  return {
    url: service.url,
    taskId: formatTaskId({ market: task.market, number: task.taskId }),
    async stop() {
      await service.close(1_000)
      await provider.terminate()
      await devnet.stop()
    },
  }
}
