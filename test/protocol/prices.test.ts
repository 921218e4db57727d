// What the table of prices says is what the chain moves, for every way into, through and out of a task, in both markets, with and
// without an Action Credit; and the receipts, the texts and the fees page of the site say the same. The rows come from the table: a
// changed rule changes no expectation here.
import { createProviders, createRpc, createViemChain, getMarketDeployment, prepareActionJson } from '@svc/chain'
import {
  accounts,
  advanceTime,
  createScene,
  type Devnet,
  getChainTime,
  type Job,
  type Offer,
  openStaking,
  type Scene,
  sendActivation,
  sendApprovals,
  sendClaim,
  sendCreate,
  sendDelivery,
  sendNotice,
  sendPost,
  sendStake,
  sendTokens,
  sendTopUp,
  sendTransaction,
  startDevnet,
} from '@svc/devnet'
import { formatAmount, type Market, marketParams, markets } from '@svc/protocol'
import { escrowVaultAbi } from '@svc/protocol/abis'
import { actions } from '@svc/protocol/actions'
import { describeCosts, listPrices, type Price } from '@svc/protocol/internal/actions'
import { actionCredit, bps } from '@svc/protocol/internal/money'
import { type Address, parseEventLogs, parseUnits, type TransactionReceipt } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findEntryPrice, formatLoss, listWaysOut } from '../../apps/site/src/pages/fees/feeRows.ts'
import { amounts, formatWhole } from '../../apps/site/src/text/amounts.ts'
import { buildRequestInput } from './buildRequestInput.ts'
import { type Case, cases } from './cases.ts'
import { readMarketBalances } from './readMarketBalances.ts'
import { sumLoss, sumReceipt } from './sumReceipt.ts'

const { bruno: poster, emeka: worker, keeper, olga } = accounts
const amount = parseUnits('300', 18)
const hour = 60 * 60

let devnet: Devnet
let snapshot: `0x${string}`
// Only the two parties get money: to furnish everybody takes longer than all comparisons.
beforeAll(async () => {
  devnet = await startDevnet()
  const { client, deployments } = devnet
  await openStaking(client, deployments)
  for (const party of [poster, worker]) {
    await sendTokens(client, deployments, party.address, {
      tok: parseUnits('8000000', 18),
      usdc: parseUnits('2500', 6),
    })
    for (const market of markets) {
      const scene = createScene(client, deployments, market)
      await sendApprovals(scene, party)
      await sendTopUp(scene, party, parseUnits('400', 6))
    }
  }
})
afterAll(() => devnet?.stop())
beforeEach(async () => {
  snapshot = await devnet.client.snapshot()
})
afterEach(() => devnet.client.revert({ id: snapshot }))

const post = (scene: Scene, fundAmount?: bigint, terms: Partial<Offer> = {}) =>
  sendPost(scene, { poster, text: 'Draw a map', amounts: [amount], duration: 12 * hour, ...terms }, fundAmount)
const create = (scene: Scene) =>
  sendCreate(scene, { poster, text: 'Draw a map', amounts: [amount], duration: 12 * hour }, worker)

async function claim(scene: Scene, scope: Price['scope'], fundAmount?: bigint): Promise<Job> {
  if (scope === 'PRIVATE') return create(scene)
  const job = await post(scene, fundAmount)
  await sendClaim(scene, job, worker)
  return job
}

/** What else is true of a task whose work is under way. */
interface Variant extends Partial<Offer> {
  /** The poster has ended the work, which spent its exit deposit. */
  isUnderNotice?: boolean
}

async function start(scene: Scene, { isUnderNotice = false, ...terms }: Variant = {}): Promise<Job> {
  const job = await post(scene, undefined, terms)
  await sendClaim(scene, job, worker)
  await sendActivation(scene, job)
  if (isUnderNotice) await sendNotice(scene, job)
  return job
}

async function deliver(scene: Scene, variant?: Variant): Promise<Job> {
  const job = await start(scene, variant)
  await sendDelivery(scene, job, 'the map')
  return job
}

/** Brings a task to where a row of the table starts. */
async function prepareCase(
  scene: Scene,
  { action, from, when, scope }: Price,
  { isUnderNotice = when === 'nothing is in review, under notice' }: Variant = {},
): Promise<Case> {
  const { client, params } = scene
  const inWork = () =>
    when === 'something is in review'
      ? deliver(scene, { store: olga.address, isUnderNotice })
      : start(scene, { isUnderNotice })
  const made = from === 'NONE' ? await cases[action]?.(scene) : undefined
  if (made) return made
  switch (action) {
    case 'claim-task':
      return { by: worker, job: await post(scene) }
    case 'cancel-task':
      return { by: poster, job: await post(scene) }
    case 'dismiss-worker':
      return { by: poster, job: await (from === 'CLAIMED' ? claim(scene, scope) : start(scene)) }
    case 'leave-task':
      if (from === 'CLAIMED') return { by: worker, job: await claim(scene, scope) }
      return { by: worker, job: await inWork() }
    case 'accept-milestone':
    case 'open-dispute':
      return { by: poster, job: await deliver(scene, { isUnderNotice }) }
    case 'complete-task':
      return { by: poster, job: await start(scene, { isUnderNotice }) }
    case 'release-lapsed': {
      const job = await deliver(scene, { isUnderNotice })
      await advanceTime(client, Number(job.terms.reviewWindow) + hour)
      return { by: keeper, job }
    }
    case 'mutual-cancel':
      return { by: worker, job: await (from === 'CLAIMED' ? claim(scene, 'OPEN') : inWork()) }
    case 'expire-task': {
      if (from === 'POSTED') {
        const job = await post(scene)
        await advanceTime(client, Number(job.terms.claimDeadline) - (await getChainTime(client)) + hour)
        return { by: keeper, job }
      }
      if (from === 'CLAIMED') {
        const job = await claim(scene, scope, when === 'funded when claimed' ? undefined : 0n)
        await advanceTime(client, params.fundingWindow + hour)
        return { by: keeper, job }
      }
      const job = await inWork()
      await advanceTime(client, 12 * hour + 2 * Number(job.terms.reviewWindow) + hour)
      return { by: keeper, job }
    }
    default:
      throw new Error(`No task for ${action} from ${from}.`)
  }
}

/** A private task is claimed when it is created, and funded afterwards. */
const isReachable = ({ scope, when }: Price) => !(scope === 'PRIVATE' && when === 'funded when claimed')

/** Rows of one call: usually one for each side. */
const ways = Map.groupBy(listPrices().filter(isReachable), ({ action, from, when, scope }) =>
  [action, from, when, scope].filter((part) => part).join(', '),
)

let comparisons = 0
/** The rows of the fees page that were compared. */
const seen = new Set<string>()

/** Whether it ends work that the poster may have ended before, where the table has no row of its own for that. */
const isAlsoUnderNotice = ({ action, from, when }: Price) =>
  from === 'ACTIVE' && action !== 'dismiss-worker' && !when?.startsWith('nothing is in review')

/** Each way with the fee in TOK, each that has a fee also with a credit, and each out of started work also under notice. */
const tried = [...ways].flatMap(([way, rows]) => [
  { way, rows, hasCredit: false, isUnderNotice: false },
  ...(rows.some(({ feeTokWei }) => feeTokWei > 0n)
    ? [{ way: `${way}, with a credit`, rows, hasCredit: true, isUnderNotice: false }]
    : []),
  ...(rows.every(isAlsoUnderNotice)
    ? [{ way: `${way}, under notice`, rows, hasCredit: false, isUnderNotice: true }]
    : []),
])

describe.each(markets)('%s', (market: Market) => {
  test.each(tried)('$way', async ({ rows, hasCredit, isUnderNotice }) => {
    const [first] = rows
    if (!first) throw new Error('no row')
    const providers = createProviders([createRpc({ name: 'devnet', url: devnet.rpcUrl })], createViemChain(8453))
    const scene = createScene(devnet.client, devnet.deployments, market)
    if (hasCredit) {
      for (const party of [poster, worker]) await sendStake(scene, party, parseUnits('3000000', 18))
      await advanceTime(devnet.client, 5 * 24 * hour)
    }
    const it = await prepareCase(scene, first, isUnderNotice ? { isUnderNotice } : {})
    const action = actions[first.action]
    const input = await buildRequestInput(scene, action, it)
    const prepared = await prepareActionJson(providers, getMarketDeployment(devnet.deployments), {
      action,
      input,
      from: it.by.address,
    })
    expect(prepared.simulation.status).toBe('succeeds')

    const before = await readBoth(scene)
    const logs: TransactionReceipt['logs'] = []
    for (const { to, data } of prepared.calls) {
      const receipt = await sendTransaction(devnet.client, it.by, { to: to as Address, data: data as `0x${string}` })
      logs.push(...receipt.logs)
    }
    const after = await readBoth(scene)
    const escrow = parseEventLogs({ abi: escrowVaultAbi, logs })
    for (const side of ['poster', 'worker'] as const) {
      const price = rows.find((row) => row.side === side)
      const wallet = side === 'poster' ? poster.address : worker.address
      const stake = price ? (price.stakeBps * amount) / bps : 0n
      const [was, is] = [before[side], after[side]]
      const payments = sumPayments(escrow, wallet)
      // The notice has spent the poster's exit deposit, so that none comes back.
      const returnedTokWei = isUnderNotice && side === 'poster' ? 0n : (price?.returnedTokWei ?? 0n)
      const moved = {
        tok: is.tok - was.tok,
        deposit: is.deposit - was.deposit,
        reserved: is.deposit - is.free - (was.deposit - was.free),
        credits: was.credits - is.credits >= (actionCredit * 9n) / 10n,
      }
      expect(moved).toEqual({
        tok:
          payments +
          returnedTokWei -
          (price ? price.exitDepositTokWei + (hasCredit ? 0n : price.feeTokWei) + stake : 0n),
        deposit: -(price?.penaltyUsdc ?? 0n),
        reserved: price ? price.reserveUsdc - price.penaltyUsdc - price.returnedUsdc : 0n,
        credits: hasCredit && (price?.feeTokWei ?? 0n) > 0n,
      })
      comparisons += 4
      const sumExits = (eventName: 'ExitDepositLocked' | 'ExitDepositSpent') =>
        parseEventLogs({ abi: escrowVaultAbi, logs, eventName }).reduce(
          (sum, { args }) => (args.agent === wallet ? sum + args.amount : sum),
          0n,
        )
      const lost = { tok: sumExits('ExitDepositSpent'), usdc: -moved.deposit }
      const shown = price
        ? listWaysOut(listPrices(), side, scene.params.vetWindow).filter(({ isAbout }) => isAbout(price))
        : []
      // A way out that the fees page does not name costs nothing.
      expect(shown.length > 0 ? shown.map(({ loss }) => formatLoss(loss)) : [formatLoss({})]).toEqual([
        formatLoss({ ...(lost.tok > 0n && { tok: lost.tok }), ...(lost.usdc > 0n && { usdc: lost.usdc }) }),
      ])
      comparisons += 1
      for (const { what } of shown) seen.add(what)
      if (price && price.feeTokWei > 0n && !hasCredit) {
        const locked = sumExits('ExitDepositLocked')
        const fee = payments - moved.tok - locked
        expect(findEntryPrice(listPrices())).toMatchObject({
          feeTokWei: fee,
          exitDepositTokWei: locked,
          reserveUsdc: moved.reserved,
          requiredUsdc: price.requiredUsdc,
        })
        expect(amounts).toMatchObject({
          fee: formatAmount(fee, 'tok'),
          exitDeposit: formatAmount(locked, 'tok'),
          reserve: formatWhole(moved.reserved, 'usdc'),
          entryDeposit: formatWhole(price.requiredUsdc, 'usdc'),
        })
        comparisons += 8
      }
      // What API, MCP, gateway and svc-prepare showed the caller before.
      if (wallet !== it.by.address || !price) continue
      const funded = BigInt((input.fundAmountTokWei as string | undefined) ?? 0)
      expect(prepared.costs).toEqual(
        describeCosts(
          { ...price, fee: price.feeTokWei > 0n, tokWei: funded, stakeTokWei: stake, usdc: 0n },
          { credits: hasCredit ? actionCredit : 0n },
        ),
      )
      comparisons += prepared.costs.length
      const { markets: contracts } = getMarketDeployment(devnet.deployments)
      expect(sumReceipt(prepared, contracts, null)).toEqual(sumLoss(was, is))
      comparisons += 2
    }
  })
})

test('every row was compared', () => {
  console.log(`${ways.size} ways in ${markets.length} markets, ${comparisons} comparisons`)
  expect(comparisons).toBeGreaterThan(8 * ways.size * markets.length)
  const rows = markets.flatMap((market) =>
    (['poster', 'worker'] as const).flatMap((side) => listWaysOut(listPrices(), side, marketParams[market].vetWindow)),
  )
  const priced = rows.filter(({ isAbout }) => listPrices().some(isAbout))
  expect(seen).toEqual(new Set(priced.map(({ what }) => what)))
})

async function readBoth(scene: Scene) {
  const [asPoster, asWorker] = await Promise.all(
    [poster, worker].map(({ address }) => readMarketBalances(scene, address)),
  )
  if (!asPoster || !asWorker) throw new Error('no balances')
  return { poster: asPoster, worker: asWorker }
}

/** What the escrow paid a wallet, less what the wallet paid in. The budget is not part of a price. */
function sumPayments(logs: ReturnType<typeof parseEventLogs<typeof escrowVaultAbi>>, wallet: Address): bigint {
  return logs.reduce((sum, { eventName, args }) => {
    if (eventName === 'Funded' && args.from === wallet) return sum - args.amount
    const isPaid = eventName === 'Released' || eventName === 'Refunded'
    return isPaid && args.to === wallet ? sum + args.amount : sum
  }, 0n)
}
