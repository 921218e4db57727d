// What a whole dispute moves, in both markets: whoever is named, takes the case, gives it back or says nothing, and however it ends.
// The table below is the rules in numbers. Each step is prepared as the clients do it, and what its preview, its receipt and the fees
// page of the site say is compared with what the chain moves.
import { createProviders, createRpc, createViemChain, getMarketDeployment, prepareActionJson } from '@svc/chain'
import {
  accounts,
  advanceTime,
  createScene,
  type Devnet,
  type Job,
  type Offer,
  type Scene,
  sendActivation,
  sendApprovals,
  sendClaim,
  sendCreate,
  sendDelivery,
  sendFunding,
  sendNotice,
  sendPost,
  sendRegistration,
  sendTokens,
  sendTopUp,
  sendTransaction,
  startDevnet,
} from '@svc/devnet'
import type { PreparedJson } from '@svc/operations'
import { type Market, type MarketParams, markets } from '@svc/protocol'
import { arbitrationAbi, escrowVaultAbi } from '@svc/protocol/abis'
import { type ActionName, actions } from '@svc/protocol/actions'
import { listPrices } from '@svc/protocol/internal/actions'
import { bps } from '@svc/protocol/internal/money'
import { type Address, parseEventLogs, parseUnits, type TransactionReceipt } from 'viem'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { formatLoss, listWaysOut } from '../../apps/site/src/pages/fees/feeRows.ts'
import { feesText } from '../../apps/site/src/text/fees.ts'
import { buildRequestInput } from './buildRequestInput.ts'
import { readMarketBalances } from './readMarketBalances.ts'
import { sumLoss, sumReceipt } from './sumReceipt.ts'

const people = {
  poster: accounts.bruno,
  worker: accounts.emeka,
  judge: accounts.jun,
  court: accounts.court,
  keeper: accounts.keeper,
} as const
type Person = keyof typeof people
const { poster, worker, judge } = people
const tok = (amount: number) => parseUnits(String(amount), 18)
const usd = (amount: number) => parseUnits(String(amount), 6)
const milestone = 300
const stake = 30
const exit = 1_000
const hour = 60 * 60

type Step =
  | { by: Person; action: ActionName; input?: Record<string, unknown> }
  | { wait: keyof MarketParams & `${string}Window` }

const by = (by: Person, action: ActionName, input?: Record<string, unknown>): Step => ({
  by,
  action,
  ...(input && { input }),
})
const wait = (window: Extract<Step, { wait: unknown }>['wait']): Step => ({ wait: window })

/** How a case gets its judge, or none. The terms of an open task only propose one. */
const seats = {
  'the worker names the judge of the terms': [by('worker', 'propose-arbitrator'), by('judge', 'propose-arbitrator')],
  'both signed terms with a judge': [by('judge', 'propose-arbitrator')],
  'nobody is named': [],
  'the judge steps down': [
    by('worker', 'propose-arbitrator'),
    by('judge', 'propose-arbitrator'),
    by('judge', 'step-down'),
  ],
} as const satisfies Record<string, readonly Step[]>

const answer = by('worker', 'submit-evidence')
const toCourt = [wait('consentWindow'), by('keeper', 'resolve-timed-out'), wait('evidenceWindow')]
const rule = (forWorker: boolean) => [answer, wait('evidenceWindow'), by('judge', 'resolve-dispute', { forWorker })]
const decide = (forWorker: boolean) => by('court', 'decide-dispute', { forWorker })
const finalize = [wait('appealWindow'), by('keeper', 'finalize-dispute')]
const giveUp = [by('worker', 'submit-evidence', { shareBps: 0n })]
const giveIn = [by('poster', 'accept-milestone')]
const agree = [
  by('worker', 'submit-evidence', { shareBps: 5_000n }),
  by('poster', 'submit-evidence', { shareBps: 5_000n }),
]

/** What a case changes from before it is opened: TOK in the wallet and USDC of the deposit. */
type Change = readonly [tok: number, usdc: number]
interface Row {
  how: string
  seat: keyof typeof seats
  steps: readonly Step[]
  poster: Change
  worker: Change
  judge?: number
  court?: Change
  /** What is burnt of the judge's bond, in TOK. */
  burnt?: number
  /** The poster has ended the work before, which spent its exit deposit. */
  isUnderNotice?: boolean
  /** What the fees page says about it. */
  fees?: { poster?: keyof typeof feesText.ways; worker?: keyof typeof feesText.ways }
}

const named = 'the worker names the judge of the terms'
const none = 'nobody is named'
const back = 'the judge steps down'
const paid = milestone - 3
const forWorkerByCourt = { poster: [-stake, -13], worker: [exit + paid + stake, 8], court: [3, 5] } as const
const forPosterByCourt = { poster: [exit + paid, 8], worker: [0, -13], court: [3, 5] } as const

const rows: readonly Row[] = [
  {
    how: 'the worker gives up',
    seat: named,
    steps: giveUp,
    poster: [exit + milestone, 0],
    worker: [0, -5],
    judge: 5,
    fees: { worker: 'giveUp' },
  },
  {
    how: 'the worker gives up',
    seat: none,
    steps: giveUp,
    poster: [exit + milestone, 5],
    worker: [0, -5],
    fees: { worker: 'giveUp' },
  },
  { how: 'the worker gives up', seat: back, steps: giveUp, poster: [exit + milestone, 5], worker: [0, -5] },
  {
    how: 'the poster gives in',
    seat: named,
    steps: giveIn,
    poster: [exit - 3, -5],
    worker: [exit + milestone + 3, 0],
    judge: 5,
  },
  {
    how: 'the poster gives in',
    seat: none,
    steps: giveIn,
    poster: [exit - 3, 0],
    worker: [exit + milestone + 3, 0],
    fees: { poster: 'concede' },
  },
  {
    how: 'the poster gives in at the court',
    seat: none,
    steps: [wait('consentWindow'), by('keeper', 'resolve-timed-out'), ...giveIn],
    poster: [exit - 3, -5],
    worker: [exit + milestone + 3, 0],
    court: [0, 5],
  },
  {
    how: 'the poster gives in after the evidence',
    seat: none,
    steps: [...toCourt, ...giveIn],
    poster: [exit - stake, -13],
    worker: [exit + milestone + stake, 8],
    court: [0, 5],
  },
  {
    how: 'the poster offers everything',
    seat: none,
    steps: [by('poster', 'submit-evidence', { shareBps: bps })],
    poster: [-3, 0],
    worker: [exit + milestone + 3, 0],
  },
  {
    how: 'they agree on half',
    seat: named,
    steps: agree,
    poster: [exit + 147, -2.5],
    worker: [exit + 153, -2.5],
    judge: 5,
  },
  { how: 'they agree on half', seat: back, steps: agree, poster: [exit + 147, 0], worker: [exit + 153, 0] },
  {
    how: 'ruled for the worker',
    seat: named,
    steps: [...rule(true), ...finalize],
    poster: [-stake, -13],
    worker: [exit + milestone + stake, 8],
    judge: 5,
    fees: { poster: 'losePost' },
  },
  {
    how: 'ruled for the poster',
    seat: 'both signed terms with a judge',
    steps: [...rule(false), ...finalize],
    poster: [exit + milestone, 8],
    worker: [0, -13],
    judge: 5,
    fees: { worker: 'loseWork' },
  },
  {
    how: 'appealed and upheld',
    seat: named,
    steps: [...rule(false), by('worker', 'escalate'), decide(false)],
    poster: [exit + paid, 8],
    worker: [0, -21],
    judge: 5,
    court: [3, 8],
  },
  {
    how: 'appealed and overturned',
    seat: named,
    steps: [...rule(false), by('worker', 'escalate'), decide(true)],
    poster: [-stake, -13],
    worker: [exit + paid + stake, 5],
    court: [3, 8],
    burnt: 2_000,
  },
  {
    how: 'appealed, and the court says nothing',
    seat: named,
    steps: [...rule(false), by('worker', 'escalate'), wait('courtWindow'), by('keeper', 'resolve-timed-out')],
    poster: [exit + milestone, 8],
    worker: [0, -13],
    judge: 5,
  },
  {
    how: 'the judge says nothing, and the court decides for the worker',
    seat: named,
    steps: [answer, wait('evidenceWindow'), wait('rulingWindow'), by('keeper', 'resolve-timed-out'), decide(true)],
    ...forWorkerByCourt,
    burnt: 2_000,
  },
  {
    how: 'the worker says nothing, and the court decides for the poster',
    seat: named,
    steps: [wait('evidenceWindow'), by('keeper', 'resolve-timed-out'), decide(false)],
    ...forPosterByCourt,
  },
  { how: 'decided for the worker', seat: none, steps: [...toCourt, decide(true)], ...forWorkerByCourt },
  { how: 'decided for the worker', seat: back, steps: [answer, ...toCourt, decide(true)], ...forWorkerByCourt },
  { how: 'decided for the poster', seat: none, steps: [answer, ...toCourt, decide(false)], ...forPosterByCourt },
  {
    how: 'decided for the poster, under notice',
    seat: none,
    steps: [...toCourt, decide(false)],
    ...forPosterByCourt,
    poster: [paid, 8],
    isUnderNotice: true,
  },
  {
    how: 'the judge steps down too late for another one, and the court decides for the worker',
    seat: named,
    steps: [wait('consentWindow'), by('judge', 'step-down'), wait('evidenceWindow'), decide(true)],
    ...forWorkerByCourt,
  },
  {
    how: 'the court says nothing',
    seat: none,
    steps: [...toCourt, wait('courtWindow'), by('keeper', 'resolve-timed-out')],
    poster: [exit, 0],
    worker: [exit + milestone, 0],
  },
]

let devnet: Devnet
let snapshot: `0x${string}`
beforeAll(async () => {
  devnet = await startDevnet()
  const { client, deployments } = devnet
  for (const person of [poster, worker, judge]) {
    await sendTokens(client, deployments, person.address, { tok: tok(100_000), usdc: usd(500) })
    for (const market of markets) {
      const scene = createScene(client, deployments, market)
      await sendApprovals(scene, person)
      if (person === judge) await sendRegistration(scene, judge, tok(10_000))
      else await sendTopUp(scene, person, usd(100))
    }
  }
})
afterAll(() => devnet?.stop())
beforeEach(async () => {
  snapshot = await devnet.client.snapshot()
})
afterEach(() => devnet.client.revert({ id: snapshot }))

async function deliver(scene: Scene, { seat, isUnderNotice }: Row): Promise<Job> {
  const offer: Offer = {
    poster,
    text: 'Draw a map',
    amounts: [tok(milestone)],
    duration: 12 * hour,
    ...(seat !== none && { arbitrator: judge.address }),
  }
  const isPrivate = seat === 'both signed terms with a judge'
  const job = isPrivate ? await sendCreate(scene, offer, worker) : await sendPost(scene, offer)
  if (isPrivate) await sendFunding(scene, job)
  else await sendClaim(scene, job, worker)
  await sendActivation(scene, job)
  if (isUnderNotice) await sendNotice(scene, job)
  await sendDelivery(scene, job, 'the map')
  return job
}

describe.each(markets)('%s', (market: Market) => {
  test.each(rows)('$how: $seat', async (row) => {
    const scene = createScene(devnet.client, devnet.deployments, market)
    const job = await deliver(scene, row)
    const first = await readAll(scene)
    const lost = { poster: { tok: 0n, usdc: 0n }, worker: { tok: 0n, usdc: 0n } }
    for (const step of [by('poster', 'open-dispute'), ...seats[row.seat], ...row.steps]) {
      if ('wait' in step) {
        await advanceTime(devnet.client, scene.params[step.wait] + 60)
        continue
      }
      const { prepared, logs, before, after } = await take(scene, job, step)
      comparePreview(prepared, before, after)
      for (const side of ['poster', 'worker'] as const) {
        const [was, is] = [before[side], after[side]]
        const lostNow = { tok: sumLost(logs, side), usdc: was.deposit > is.deposit ? was.deposit - is.deposit : 0n }
        lost[side].tok += lostNow.tok
        lost[side].usdc += lostNow.usdc
        if (side !== step.by) continue
        const { markets: contracts } = getMarketDeployment(devnet.deployments)
        expect(sumReceipt(prepared, contracts, null), step.action).toEqual(sumLoss(was, is))
      }
    }
    const last = await readAll(scene)
    const change = (person: Person) => [
      last[person].tok - first[person].tok,
      last[person].deposit - first[person].deposit,
    ]
    const expected = ([inTok, inUsdc]: Change) => [tok(inTok), usd(inUsdc)]
    expect({
      poster: change('poster'),
      worker: change('worker'),
      judge: change('judge'),
      court: change('court'),
      burnt: first.bond - last.bond,
      locked: last.locked,
    }).toEqual({
      poster: expected(row.poster),
      worker: expected(row.worker),
      judge: expected([0, row.judge ?? 0]),
      court: expected(row.court ?? [0, 0]),
      burnt: tok(row.burnt ?? 0),
      locked: 0n,
    })
    // Nothing of the task is reserved any more.
    for (const side of ['poster', 'worker'] as const) expect(last[side].free).toBe(last[side].deposit)
    for (const side of ['poster', 'worker'] as const) {
      const key = row.fees?.[side]
      if (key) expect(readFees(side, scene, key)).toBe(describeLoss(side, lost[side]))
    }
  })
})

/** Prepares a step as the clients do, and sends exactly its calls. */
async function take(scene: Scene, job: Job, { by: person, action: name, input }: Extract<Step, { by: Person }>) {
  const providers = createProviders([createRpc({ name: 'devnet', url: devnet.rpcUrl })], createViemChain(8453))
  const account = people[person]
  const action = actions[name]
  const prepared = await prepareActionJson(providers, getMarketDeployment(devnet.deployments), {
    action,
    input: await buildRequestInput(scene, action, { by: account, job, ...(input && { input }) }),
    from: account.address,
  })
  expect(prepared.simulation, name).toMatchObject({ status: 'succeeds' })
  const before = await readAll(scene)
  const logs: TransactionReceipt['logs'] = []
  for (const { to, data } of prepared.calls) {
    const receipt = await sendTransaction(devnet.client, account, { to: to as Address, data: data as `0x${string}` })
    logs.push(...receipt.logs)
  }
  return { prepared, logs, before, after: await readAll(scene) }
}

type Balances = Awaited<ReturnType<typeof readAll>>
async function readAll(scene: Scene) {
  const read = (person: Person) => readMarketBalances(scene, people[person].address)
  const { bond, locked } = await scene.client.readContract({
    address: scene.contracts.arbitration,
    abi: arbitrationAbi,
    functionName: 'arbitratorOf',
    args: [judge.address],
  })
  return {
    poster: await read('poster'),
    worker: await read('worker'),
    judge: await read('judge'),
    court: await read('court'),
    keeper: await read('keeper'),
    bond,
    locked,
  }
}

/** Compares what the preview says of everybody with what the chain moved. */
function comparePreview({ from, simulation }: PreparedJson, before: Balances, after: Balances): void {
  if (simulation.status !== 'succeeds') throw new Error('refused')
  const told = (what: readonly string[], address: string) =>
    [...simulation.changes.map((each) => ({ ...each, address: from })), ...simulation.others]
      .filter((each) => what.includes(each.what) && each.address === address)
      .reduce((sum, { change }) => sum + BigInt(change), 0n)
  for (const [person, { address }] of Object.entries(people) as [Person, { address: Address }][]) {
    expect([told(['TOK in the wallet', 'TOK'], address), told(['deposit'], address)], person).toEqual([
      after[person].tok - before[person].tok,
      after[person].deposit - before[person].deposit,
    ])
  }
}

/** What a side lost of what it had locked: its exit deposit, and the part of its stake that went to the worker. */
function sumLost(logs: TransactionReceipt['logs'], side: 'poster' | 'worker'): bigint {
  const { address } = people[side]
  const spent = parseEventLogs({ abi: escrowVaultAbi, logs, eventName: 'ExitDepositSpent' })
    .filter(({ args }) => args.agent === address)
    .reduce((sum, { args }) => sum + args.amount, 0n)
  const isClosed = parseEventLogs({ abi: arbitrationAbi, logs, eventName: 'CaseClosed' }).length > 0
  if (side === 'worker' || !isClosed) return spent
  const returned = parseEventLogs({ abi: arbitrationAbi, logs, eventName: 'Paid' })
    .filter(({ args }) => args.to === address)
    .reduce((sum, { args }) => sum + args.amount, 0n)
  return spent + tok(stake) - returned
}

function readFees(side: 'poster' | 'worker', { params }: Scene, key: keyof typeof feesText.ways): string {
  const way = listWaysOut(listPrices(), side, params.vetWindow).find(({ what }) => what === feesText.ways[key])
  if (!way) throw new Error(`The fees page has no row "${key}".`)
  return formatLoss(way.loss)
}

/** What the fees page must say: whole exit deposits, and the rest as a share of the milestone. The gap is the whole milestone. */
function describeLoss(side: 'poster' | 'worker', lost: { tok: bigint; usdc: bigint }): string {
  const ofExit = lost.tok >= tok(exit) ? tok(exit) : 0n
  const share = ((lost.tok - ofExit) * bps) / tok(milestone)
  return formatLoss({
    ...(ofExit > 0n && { tok: ofExit }),
    ...(lost.usdc > 0n && { usdc: lost.usdc }),
    ...(share > 0n && { share, isUpTo: side === 'poster' && share > 100n }),
  })
}
