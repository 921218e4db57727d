import { createScene, type Scene } from '@svc/devnet'
import { marketNumber } from '@svc/index'
import type { QuotaJson } from '@svc/operations'
import { markets } from '@svc/protocol'
import { createRandom, type Random } from '@svc/simulation/random'
import type { Address, Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { IndexedWorld } from '../../test/harness/indexed.ts'
import { fundPoster, payForPlan, posters, postTask } from '../../test/harness/posters.ts'
import type { Service } from '../../test/harness/service.ts'
import { createRecordRequests, createUpgradeRequests, type QuotaRequest } from './requests.ts'
import { checkAnswer, sendRequests, sendUntilAnswered, WrongAnswerError } from './sendRequests.ts'

export interface RoundOptions {
  seed: number
  world: IndexedWorld
  replicas: readonly Service[]
  /** Kills and restarts Postgres. */
  restart: () => Promise<void>
  records: number
  upgrades: number
}

export interface RoundReport {
  requests: number
  /** Answers that told the client to retry. */
  away: number
  kills: number
}

/** One round: racing records, racing upgrades, and a reorganisation that removes one of each. Throws at the first wrong answer. */
export async function runRound(options: RoundOptions): Promise<RoundReport> {
  const { seed, world, replicas, restart } = options
  const random = createRandom(seed)
  const { client, deployments } = world.devnet
  const scene = createScene(client, deployments, random.pick(markets))
  const wallet = privateKeyToAccount(`0x${random.word()}`)
  await fundPoster(client, deployments, wallet)
  const payer = privateKeyToAccount(`0x${random.word()}`)
  await fundPoster(client, deployments, payer)
  // Another wallet's payment, to forge records with.
  const foreign = await payForPlan(scene, payer, 'basic', 'usdc')
  const posts = [await postTask(scene, wallet), await postTask(scene, wallet), await postTask(scene, wallet)]
  const others = { addresses: posters.map(({ address }) => address) }
  const quotas = () => readQuotas(replicas, random, scene, wallet.address)

  const records = createRecordRequests(random, options.records, posts, { ...others, txHash: foreign.txHash })
  const recorded = await sendRequests(replicas, random, records, [restart, restart])
  for (const { status, body } of recorded.answers) {
    if (status === 200 && (body.quota.used < 1 || body.quota.used > 3)) throw new WrongAnswerError(JSON.stringify(body))
  }
  for (const quota of await quotas()) expectQuota(quota, { tier: 'free', used: 3, limit: 3, canPost: false })
  await repeat(replicas, random, records)
  expectRows('posts', await countRows(world, 'post', 'poster', scene, wallet.address), 3)

  // The plan applies before anybody reports its payment.
  const payment = await payForPlan(scene, wallet, 'basic', random.pick(['tok', 'usdc'] as const))
  for (const quota of await quotas()) expectQuota(quota, { tier: 'basic', used: 3, limit: 25, canPost: true })
  const upgrades = createUpgradeRequests(random, options.upgrades, payment, { ...others, txHash: payment.txHash })
  const upgraded = await sendRequests(replicas, random, upgrades, [restart])
  expectRows('grants', await countRows(world, 'payment', 'beneficiary', scene, wallet.address), 1)
  for (const quota of await quotas()) expectQuota(quota, { tier: 'basic', used: 3, limit: 25, canPost: true })
  await repeat(replicas, random, upgrades)
  expectRows('grants', await countRows(world, 'payment', 'beneficiary', scene, wallet.address), 1)

  const snapshot: Hex = await client.snapshot()
  const doomed: QuotaRequest[] = [
    { path: '/api/posting/record', body: await postTask(scene, wallet), expected: { status: 200 } },
    { path: '/api/posting/upgrade', body: await payForPlan(scene, wallet, 'pro', 'usdc'), expected: { status: 200 } },
  ]
  await repeat(replicas, random, doomed)
  for (const quota of await quotas()) expectQuota(quota, { tier: 'pro', used: 4, limit: 200, canPost: true })
  await client.revert({ id: snapshot })
  await client.mine({ blocks: 1 + random.below(8) })
  for (const replica of replicas) await replica.caughtUp()
  for (const quota of await quotas()) expectQuota(quota, { tier: 'basic', used: 3, limit: 25, canPost: true })
  const gone = { status: 409, code: 'TX_NOT_FOUND' }
  await repeat(
    replicas,
    random,
    doomed.map((request) => ({ ...request, expected: gone })),
  )
  return { requests: records.length + upgrades.length, away: recorded.away + upgraded.away, kills: 3 }
}

/** Sends one request of each kind again; the answers must be the same. */
async function repeat(replicas: readonly Service[], random: Random, requests: readonly QuotaRequest[]): Promise<void> {
  const kinds = new Map(requests.map((request) => [JSON.stringify([request.expected, request.body]), request]))
  const some = [...kinds.values()].slice(0, 100)
  await Promise.all(
    some.map(async (request) => checkAnswer(request, (await sendUntilAnswered(replicas, random, request)).answer)),
  )
}

/** A wallet's quota at each replica. */
function readQuotas(replicas: readonly Service[], random: Random, { market }: Scene, address: Address) {
  return Promise.all(
    replicas.map(async (replica) => {
      const path = `/api/posting/quota?address=${address}&market=${market}`
      for (let tries = 0; tries < 100; tries++) {
        const response = await replica.app.request(path)
        if (response.status === 200) return (await response.json()) as QuotaJson
        await new Promise((done) => setTimeout(done, 50 + random.below(50)))
      }
      throw new WrongAnswerError(`${path} got no answer.`)
    }),
  )
}

function expectQuota({ tier, used, limit, canPost }: QuotaJson, expected: QuotaJson): void {
  const [found, wanted] = [{ tier, used, limit, canPost }, expected].map((each) => JSON.stringify(each))
  if (found !== wanted) throw new WrongAnswerError(`The quota is ${found}, not ${wanted}.`)
}

function expectRows(what: string, found: number, expected: number): void {
  if (found !== expected) throw new WrongAnswerError(`There are ${found} ${what}, not ${expected}.`)
}

async function countRows(
  { sql }: IndexedWorld,
  table: 'post' | 'payment',
  column: 'poster' | 'beneficiary',
  { market }: Scene,
  wallet: Address,
): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::int from ${sql(`posting.${table}`)}
    where market = ${marketNumber(market)} and ${sql(column)} = ${Buffer.from(wallet.slice(2), 'hex')}`
  return row?.count ?? 0
}
