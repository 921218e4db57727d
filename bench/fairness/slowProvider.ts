// A worker that puts a delay in front of a node. A real provider does not take its time from the API's own thread.
import { parentPort, workerData } from 'node:worker_threads'
import { createRandom } from '@svc/simulation/random'
import { delay } from '../../chaos/providers/faults.ts'
import { startProvider } from '../../chaos/providers/provider.ts'

const { url, latencyMs } = workerData as { url: string; latencyMs: number }
const provider = await startProvider(url, [delay(latencyMs, 0, createRandom(1))])
parentPort?.postMessage(provider.url)
