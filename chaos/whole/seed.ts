import { createChainReader, createProviders, createRpc, createViemChain, getMarketDeployment } from '@svc/chain'
import { markets } from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import { verifyAgreement } from '@svc/protocol/negotiation'
import type { Hex } from 'viem'
import { createPrepareRunner } from '../../test/tools/preparing.ts'
import { killAllProcesses } from '../shared/appProcess.ts'
import { openAgreements } from './agreements.ts'
import { checkBalances } from './checkBalances.ts'
import { checkDeliveries } from './checkDeliveries.ts'
import { checkEvents } from './checkEvents.ts'
import { checkIndex } from './checkIndex.ts'
import { createNextStepsCheck } from './checkNextSteps.ts'
import { checkQuota } from './checkQuota.ts'
import { checkRequests } from './checkRequests.ts'
import { createDeliveries } from './deliveries.ts'
import { expectSame, type FinalState } from './finalState.ts'
import { startFollower } from './follower.ts'
import { createHttpClient } from './httpClient.ts'
import { startPlannedChain } from './plannedChain.ts'
import { runTasks } from './runTasks.ts'
import { startServices } from './services.ts'
import { createSurfaces } from './surfaces.ts'
import { createTally, type Tally } from './tally.ts'
import { planKeptRuns, planTaskRuns, walletsPerRun } from './taskRun.ts'
import { fundWallets } from './wallets.ts'

export interface WholeSeedOptions {
  seed: number
  tasks: number
  wallets: number
  /** Blocks with one second each, before the clock jumps. */
  seconds: number
  /** Tasks that are left to a keeper, besides `tasks`. */
  kept: number
  /** Whether terms may name a store. Bundles have random keys, so blocks then differ between runs. */
  withStore: boolean
}

/** The result of a seed. Only what is on the chain is reproducible; the counts depend on the machine. */
export interface WholeSeedReport {
  /** The hash of the last block. It covers everything that happened on the chain. */
  digest: Hex
  blocks: bigint
  reorgs: number
  deepest: number
  tally: Tally
}

/** Ten minutes around a UTC midnight, so that the quota's day changes halfway. */
const start = Date.UTC(2026, 5, 1) / 1000 - 300

const checks = [checkBalances, checkIndex, checkEvents, checkQuota, checkAgreements, checkRequests, checkDeliveries]

type Stop = () => Promise<unknown>

/** The open resources of each running seed, in the order they were started. */
const openSeeds = new Set<Stop[]>()

/** Stops everything that still runs. */
export async function stopAllSeeds(): Promise<void> {
  await Promise.all([...openSeeds].map(stopOne))
  // A service may have been restarting at that moment.
  await killAllProcesses()
}

async function stopOne(open: Stop[]): Promise<void> {
  for (let stop = open.pop(); stop; stop = open.pop()) await stop().catch(() => {})
  openSeeds.delete(open)
}

/** Runs one seed from an empty chain to the final checks. */
export async function runWholeSeed({
  seed,
  tasks,
  wallets: count,
  seconds,
  kept,
  withStore,
}: WholeSeedOptions): Promise<WholeSeedReport> {
  const tally = createTally()
  const chain = await startPlannedChain(start)
  const open: Stop[] = [chain.stop]
  openSeeds.add(open)
  let result = { reorgs: 0, deepest: 0 }
  try {
    const everyWallet = await fundWallets(chain, count + kept * walletsPerRun)
    // The last wallets are arbitrators, and these act in no other run.
    const keptWallets = everyWallet.slice(0, kept * walletsPerRun)
    const wallets = everyWallet.slice(keptWallets.length)
    const services = await startServices(chain, seed, tally, keptWallets)
    open.push(services.close)
    const agreements = await openAgreements(chain.deployments, chain.head().timestamp)
    open.push(agreements.close)
    const { deployments } = chain
    const providers = createProviders(
      [createRpc({ name: 'anvil', url: chain.rpcUrl })],
      createViemChain(deployments.chainId),
    )
    const [provider] = providers.all
    if (!provider) throw new Error('No provider was created.')
    const http = createHttpClient(tally)
    const preparing = await createPrepareRunner({
      rpcUrl: services.rpcUrls.join(),
      deployments,
      gatewayUrl: services.gatewayUrl,
    })
    preparing.environment.SVC_API_URL = services.apiUrls[0] ?? ''
    open.push(preparing.stop)
    const surfaces = createSurfaces({ chain, deployments, providers, http, tally, ...services, preparing })
    const deliveries = withStore ? await createDeliveries(chain, services.store, everyWallet, tally) : null
    const plan = { seed, tasks, seconds, statements: deliveries?.statements ?? null }
    const runs = [...planTaskRuns(chain, wallets, plan), ...planKeptRuns(chain, keptWallets, plan)]
    const followers = markets.map((market) => startFollower(market, services.apiUrls, tally))
    open.push(...followers.map(({ stop }) => stop))
    const direct = createChainReader(providers, getMarketDeployment(deployments))
    const checkNextSteps = createNextStepsCheck(chain, deployments, services, { http, tally })
    const context = { chain, provider, wallets, agreements, deliveries }
    result = await runTasks({
      seed,
      seconds,
      runs,
      context,
      everyWallet,
      chain,
      services,
      surfaces,
      checkNextSteps,
      direct,
      http,
      tally,
    })
    const shared = {
      chain,
      provider,
      direct,
      wallets: everyWallet,
      runs,
      agreements,
      deliveries,
      followers,
      surfaces,
      http,
      tally,
    }
    for (const check of checks) {
      await check({ ...shared, services, sql: services.sql }).catch((error: Error) =>
        tally.fail(`${check.name}: ${error.stack}`),
      )
    }
    services.checkLogs()
  } catch (error) {
    tally.fail((error as Error).stack ?? String(error))
  }
  await stopOne(open)
  const { hash: digest, number: blocks } = chain.head()
  return { digest, blocks, ...result, tally }
}

/** Checks that both parties have the same transcript of every private task, and that it proves the digest on chain. */
async function checkAgreements(final: FinalState): Promise<void> {
  const { chain, agreements } = final
  for (const { run, files } of await agreements.files()) {
    const { taskRegistry: address } = chain.deployments.markets[run.market]
    const args = [run.number ?? 0n] as const
    const digest = await chain.client.readContract({
      address,
      abi: taskRegistryAbi,
      functionName: 'settlementDigestOf',
      args,
    })
    expectSame(final, `the transcripts of run ${run.index}`, files[0], files[1])
    const { settlementDigest } = await verifyAgreement(files[0] ?? '', { digest })
    expectSame(final, `the digest of run ${run.index}`, settlementDigest, digest)
  }
}
