import {
  accounts,
  agreeOnJudge,
  countTasks,
  createScene,
  type Devnet,
  type Job,
  listPeople,
  type Scene,
  sendActivation,
  sendAppeal,
  sendClaim,
  sendCreate,
  sendDelivery,
  sendDispute,
  sendEvidence,
  sendPost,
  sendRuling,
  sendTopUp,
  setUpMarkets,
  startDevnet,
} from '@svc/devnet'
import { formatTaskId, type Market, markets } from '@svc/protocol'
import { type LocalAccount, parseUnits } from 'viem'

/** A chain with tasks that nobody will act on any more. */
export interface StuckWorld {
  devnet: Devnet
  scenes: Readonly<Record<Market, Scene>>
  /** How each task was abandoned, by its id. */
  ways: ReadonlyMap<string, string>
}

interface Cast {
  poster: LocalAccount
  worker: LocalAccount
}

type Abandon = (scene: Scene, cast: Cast) => Promise<unknown>

const amounts = [parseUnits('700', 18), parseUnits('300', 18)]
const makeOffer = ({ params }: Scene, poster: LocalAccount) => ({
  poster,
  text: 'A task that is left alone\n\nNobody comes back to it.',
  amounts,
  duration: params.minDuration,
})

const claim = async (scene: Scene, { poster, worker }: Cast, funded?: bigint): Promise<Job> => {
  const job = await sendPost(scene, makeOffer(scene, poster), funded)
  await sendClaim(scene, job, worker)
  return job
}
const activate = async (scene: Scene, cast: Cast): Promise<Job> => {
  const job = await claim(scene, cast)
  await sendActivation(scene, job)
  return job
}
const deliver = async (scene: Scene, cast: Cast): Promise<Job> => {
  const job = await activate(scene, cast)
  await sendDelivery(scene, job, 'All of it.')
  return job
}
const dispute = async (scene: Scene, cast: Cast): Promise<Job> => {
  const job = await deliver(scene, cast)
  await sendDispute(scene, job, 'Half of it is missing.')
  return job
}
const seat = async (scene: Scene, cast: Cast): Promise<Job> => {
  const job = await dispute(scene, cast)
  await agreeOnJudge(scene, job, accounts.kofi)
  return job
}

const rule = async (scene: Scene, cast: Cast): Promise<Job> => {
  const job = await seat(scene, cast)
  await sendEvidence(scene, job, cast.worker, 'Nothing is missing.', 10_000n)
  await sendRuling(scene, job, true, 'Most of it is there.')
  return job
}

/** The ways to leave a task alone, each in another state or phase. */
const waysToAbandon = {
  posted: (scene, { poster }) => sendPost(scene, makeOffer(scene, poster)),
  unfunded: (scene, { poster }) => sendPost(scene, makeOffer(scene, poster), 0n),
  claimed: (scene, cast) => claim(scene, cast),
  claimedUnfunded: (scene, cast) => claim(scene, cast, 0n),
  private: (scene, { poster, worker }) => sendCreate(scene, makeOffer(scene, poster), worker),
  active: activate,
  delivered: deliver,
  disputed: dispute,
  answered: async (scene, cast) => {
    const job = await dispute(scene, cast)
    await sendEvidence(scene, job, cast.worker, 'Nothing is missing.', 10_000n)
  },
  seated: seat,
  ruled: async (scene, cast) => {
    await rule(scene, cast)
  },
  appealed: async (scene, cast) => {
    await sendAppeal(scene, await rule(scene, cast), cast.poster)
  },
  unreceipted: async (scene, { poster, worker }) => {
    const job = await sendPost(scene, { ...makeOffer(scene, poster), store: accounts.store.address })
    await sendClaim(scene, job, worker)
    await sendActivation(scene, job)
    await sendDelivery(scene, job, 'All of it.')
  },
} as const satisfies Record<string, Abandon>

/** How many ways there are. */
export const wayCount = Object.keys(waysToAbandon).length

/** Starts a chain with so many abandoned tasks: every way in both markets, again and again. */
export async function startStuckWorld(count: number): Promise<StuckWorld> {
  const devnet = await startDevnet({ genesisTime: Math.floor(Date.now() / 1000) - 30 * 86_400 })
  try {
    const { client, deployments } = devnet
    await setUpMarkets(client, deployments)
    const scenes = {
      standard: createScene(client, deployments, 'standard'),
      micro: createScene(client, deployments, 'micro'),
    }
    const [posters, workers] = [listPeople('poster'), listPeople('worker')]
    for (const scene of Object.values(scenes)) {
      for (const person of [...posters, ...workers]) await sendTopUp(scene, accounts[person], parseUnits('800', 6))
    }
    const all = Object.entries<Abandon>(waysToAbandon)
    const ways = new Map<string, string>()
    for (let index = 0; index < count; index++) {
      const poster = accounts[posters[index % posters.length] ?? 'ada']
      const worker = accounts[workers[index % workers.length] ?? 'emeka']
      const market = markets[Math.floor(index / all.length) % markets.length] ?? 'micro'
      const [way, abandon] = all[index % all.length] ?? ['posted', waysToAbandon.posted]
      await abandon(scenes[market], { poster, worker })
      ways.set(formatTaskId({ market, number: BigInt(await countTasks(scenes[market])) }), way)
    }
    return { devnet, scenes, ways }
  } catch (error) {
    await devnet.stop()
    throw error
  }
}
