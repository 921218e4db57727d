import {
  accounts,
  advanceTime,
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
  sendNotice,
  sendPost,
  sendRuling,
  sendStepDown,
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

/** Leaves a task alone, or returns what is left to do before that, once both parties have been heard. */
type Abandon = (scene: Scene, cast: Cast) => Promise<Job | (() => Promise<void>)>

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

const answer = async (scene: Scene, cast: Cast, job: Job): Promise<Job> => {
  await sendEvidence(scene, job, cast.worker, 'Nothing is missing.', 10_000n)
  return job
}
const giveNotice = async (scene: Scene, cast: Cast): Promise<Job> => {
  const job = await activate(scene, cast)
  await sendNotice(scene, job)
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
  underNotice: giveNotice,
  deliveredUnderNotice: async (scene, cast) => {
    const job = await giveNotice(scene, cast)
    await sendDelivery(scene, job, 'What there is.')
    return job
  },
  answered: async (scene, cast) => answer(scene, cast, await dispute(scene, cast)),
  seated: seat,
  seatedAndAnswered: async (scene, cast) => answer(scene, cast, await seat(scene, cast)),
  steppedDown: async (scene, cast) => {
    const job = await seat(scene, cast)
    await sendStepDown(scene, job)
    return job
  },
  ruled: async (scene, cast) => {
    const job = await answer(scene, cast, await seat(scene, cast))
    return () => sendRuling(scene, job, true, 'Most of it is there.')
  },
  appealed: async (scene, cast) => {
    const job = await answer(scene, cast, await seat(scene, cast))
    return async () => {
      await sendRuling(scene, job, true, 'Most of it is there.')
      await sendAppeal(scene, job, cast.poster)
    }
  },
  unreceipted: async (scene, { poster, worker }) => {
    const job = await sendPost(scene, { ...makeOffer(scene, poster), store: accounts.store.address })
    await sendClaim(scene, job, worker)
    await sendActivation(scene, job)
    await sendDelivery(scene, job, 'All of it.')
    return job
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
    const unheard: Record<Market, (() => Promise<void>)[]> = { standard: [], micro: [] }
    for (let index = 0; index < count; index++) {
      const poster = accounts[posters[index % posters.length] ?? 'ada']
      const worker = accounts[workers[index % workers.length] ?? 'emeka']
      const market = markets[Math.floor(index / all.length) % markets.length] ?? 'micro'
      const [way, abandon] = all[index % all.length] ?? ['posted', waysToAbandon.posted]
      const left = await abandon(scenes[market], { poster, worker })
      if (typeof left === 'function') unheard[market].push(left)
      ways.set(formatTaskId({ market, number: BigInt(await countTasks(scenes[market])) }), way)
    }
    // The windows of the micro market are shorter.
    for (const market of ['micro', 'standard'] as const) {
      if (unheard[market].length > 0) await advanceTime(client, scenes[market].params.evidenceWindow + 60)
      for (const finish of unheard[market]) await finish()
    }
    return { devnet, scenes, ways }
  } catch (error) {
    await devnet.stop()
    throw error
  }
}
