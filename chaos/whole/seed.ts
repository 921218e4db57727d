import { chainOf, createChainReader, createProviders, createRpc, marketPlaces } from '@svc/chain'
import { markets } from '@svc/protocol'
import type { Hex } from 'viem'
import { createPreparing } from '../../test/tools/preparing.ts'
import { killAll } from '../process/indexer.ts'
import { openAgreements } from './agree.ts'
import { createAskAround } from './askAround.ts'
import { createCall } from './call.ts'
import { startCrew } from './crew.ts'
import { startFollower } from './follower.ts'
import { judgeAgreements } from './judgeAgreements.ts'
import { judgeEvents } from './judgeEvents.ts'
import { judgeIndex } from './judgeIndex.ts'
import { judgeMoney } from './judgeMoney.ts'
import { judgeQuota } from './judgeQuota.ts'
import { judgeRequests } from './judgeRequests.ts'
import { planLives } from './life.ts'
import { startPlannedChain } from './plannedChain.ts'
import { play } from './play.ts'
import { createSurfaces } from './surfaces.ts'
import { createTally, type Tally } from './tally.ts'
import { furnishWallets } from './wallets.ts'

export interface SeedOptions {
  seed: number
  tasks: number
  wallets: number
  /** Blocks of a second each, before time is let pass. */
  seconds: number
}

/** How a seed went. Only what is on the chain is the same every time; what was counted beside it depends on the machine. */
export interface Played {
  /** Of the last block: of everything that ever happened on the chain. */
  digest: Hex
  blocks: bigint
  reorgs: number
  deepest: number
  seconds: number
  tally: Tally
}

/** Half of the ten minutes are before a UTC midnight, and half after it. */
const start = Date.UTC(2026, 5, 1) / 1000 - 300

const judges = [judgeMoney, judgeIndex, judgeEvents, judgeQuota, judgeAgreements, judgeRequests]

type Stop = () => Promise<unknown>

/** What must be stopped of each seed that is played, last started first. */
const playing = new Set<Stop[]>()

/** Stops whatever still runs. */
export async function stopAll(): Promise<void> {
  await Promise.all([...playing].map(stopOne))
  // One that was being started again just then.
  await killAll()
}

async function stopOne(open: Stop[]): Promise<void> {
  for (let stop = open.pop(); stop; stop = open.pop()) await stop().catch(() => {})
  playing.delete(open)
}

/** Plays one seed from an empty chain to the verdict. */
export async function playSeed({ seed, tasks, wallets: count, seconds }: SeedOptions): Promise<Played> {
  const began = Date.now()
  const tally = createTally()
  const chain = await startPlannedChain(start)
  const open: Stop[] = [chain.stop]
  playing.add(open)
  let went = { reorgs: 0, deepest: 0 }
  try {
    const wallets = await furnishWallets(chain, count)
    const crew = await startCrew(chain, seed, tally)
    open.push(crew.close)
    const agreements = await openAgreements(chain.deployments, chain.head().timestamp)
    open.push(agreements.close)
    const { deployments } = chain
    const providers = createProviders([createRpc({ name: 'anvil', url: chain.rpcUrl })], chainOf(deployments.chainId))
    const [provider] = providers.all
    if (!provider) throw new Error('There is no provider.')
    const call = createCall(tally)
    const preparing = await createPreparing({ rpcUrl: crew.rpcUrls.join(), deployments, gatewayUrl: crew.gatewayUrl })
    open.push(preparing.stop)
    const surfaces = createSurfaces({ chain, deployments, providers, call, tally, ...crew, preparing })
    const lives = planLives(chain, wallets, { seed, tasks, seconds })
    const followers = markets.map((market) => startFollower(market, crew.apiUrls, tally))
    open.push(...followers.map(({ stop }) => stop))
    const direct = createChainReader(providers, marketPlaces(deployments))
    const askAround = createAskAround(chain, deployments, crew, { call, tally })
    const chooser = { chain, provider, wallets, agreements }
    went = await play({ seed, seconds, lives, chooser, chain, crew, surfaces, askAround, direct, call, tally })
    const shared = {
      chain,
      provider,
      direct,
      wallets,
      lives,
      agreements,
      followers,
      surfaces,
      call,
      tally,
    }
    for (const judge of judges) {
      await judge({ ...shared, crew, sql: crew.sql }).catch((error: Error) =>
        tally.fault(`${judge.name}: ${error.stack}`),
      )
    }
    crew.hear()
  } catch (error) {
    tally.fault((error as Error).stack ?? String(error))
  }
  await stopOne(open)
  const { hash: digest, number: blocks } = chain.head()
  return { digest, blocks, ...went, seconds: Math.round((Date.now() - began) / 1000), tally }
}
