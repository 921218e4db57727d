import { getLogs, type MarketReader, type Provider } from '@svc/chain'
import { type Market, markets } from '@svc/protocol'
import { depositVaultAbi, taskRegistryAbi } from '@svc/protocol/abis'
import type { PreparedJson } from '@svc/protocol/http'
import { type Address, erc20Abi, type Hex, parseEventLogs } from 'viem'
import { createRandom } from '../sim/random.ts'
import type { AskAround } from './askAround.ts'
import { type Call, posted } from './call.ts'
import { type Chooser, choose, type Deed } from './choose.ts'
import type { Crew } from './crew.ts'
import { drawErrand } from './errands.ts'
import type { Life } from './life.ts'
import { type Mishap, planMishaps } from './mishaps.ts'
import type { PlannedChain, Signed } from './plannedChain.ts'
import { type Kept, nameOf, type SurfaceName, type Surfaces } from './surfaces.ts'
import type { Tally } from './tally.ts'

export interface PlayOptions {
  seed: number
  /** Blocks of a second each, before time is let pass. */
  seconds: number
  lives: readonly Life[]
  chooser: Chooser
  chain: PlannedChain
  crew: Crew
  surfaces: Surfaces
  askAround: AskAround
  /** Straight to the chain, without lies. */
  direct: MarketReader
  call: Call
  tally: Tally
}

/** A deed that is signed and on its way. */
interface Sent {
  deed: Deed
  prepared: PreparedJson
  kept: Kept | null
  hash: Hex
}

/** Deeds a block at most. */
const atOnce = 4
/** More blocks than the longest of all lives takes. */
const maxLateBlocks = 6_000

/** Lives all lives, block by block, and lets go wrong what the seed says. */
export async function play(options: PlayOptions): Promise<{ reorgs: number; deepest: number }> {
  const { seed, seconds, lives, chooser, chain, crew, surfaces, askAround, direct, call, tally } = options
  const { provider, wallets } = chooser
  const random = createRandom(seed, 3)
  const mishaps = planMishaps(createRandom(seed, 4), seconds)
  const recoveries = new Set<Promise<void>>()
  const said = { reorgs: 0, deepest: 0 }
  const background = (work: Promise<void>) => {
    const mine = work
      .catch((error: Error) => tally.fault(error.stack ?? error.message))
      .finally(() => recoveries.delete(mine))
    recoveries.add(mine)
  }

  const suffer = async (mishap: Mishap) => {
    if (mishap.kind === 'kill') return background(crew.kill(mishap.member))
    if (mishap.kind === 'killDatabase') return background(crew.killDatabase())
    const { depth, loss, isLate } = mishap
    const dropped = await chain.reorganise(depth, () => !random.chance(loss), isLate)
    said.reorgs++
    said.deepest = Math.max(said.deepest, depth)
    tally.count('reorgs', `${depth}`)
    for (let each = 0; each < dropped; each++) tally.count('transactions', 'lost in reorganisations')
    await find(lives, chain, provider)
  }

  /** Chooses, prepares and sends what is due, at most so much that no two deeds touch the same wallet. */
  const step = async (due: readonly Life[], isLate: boolean) => {
    const touched = new Set<Address>()
    const deeds: Deed[] = []
    const questions: (() => Promise<void>)[] = []
    if (!isLate && random.chance(0.1)) deeds.push(await drawErrand(random, wallets, direct))
    for (const wallet of deeds.flatMap(({ touches }) => touches)) touched.add(wallet)
    for (const life of due) {
      if (deeds.length >= atOnce) break
      if ([life.poster, ...life.workers].some(({ address }) => touched.has(address))) continue
      const choice = await choose(life, chooser, isLate)
      if ('wakeAt' in choice) {
        life.due = isLate ? choice.wakeAt : Math.max(choice.wakeAt, chain.head().timestamp + 5)
        continue
      }
      const { deed, standing } = choice
      if (deed.touches.some((wallet) => touched.has(wallet))) continue
      for (const wallet of deed.touches) touched.add(wallet)
      deeds.push(deed)
      if (standing && random.chance(0.15)) questions.push(() => askAround(deed, standing))
      life.due = chain.head().timestamp + 1 + (isLate ? 0 : life.random.below(30))
    }
    const surfacesOf = deeds.map(() => random.pick(mix))
    const asked = Promise.all(questions.map((ask) => ask()))
    const sent = await Promise.all(deeds.map((deed, index) => prepare(deed, surfacesOf[index] ?? 'api')))
    await asked
    const before = await Promise.all(sent.map(({ deed }) => wealth(deed)))
    const drafts = sent.flatMap(({ deed, prepared }) =>
      prepared.calls.map(({ to, data }) => ({ by: deed.by, to: to as Address, data: data as Hex })),
    )
    const signed = await chain.mine(drafts)
    await note(sent, signed, before)
  }

  const prepare = async (deed: Deed, name: SurfaceName): Promise<Sent> => {
    const known = surfaces.kept.length
    const prepared = await surfaces.prepare(name, deed)
    const kept =
      name === 'gateway' ? (surfaces.kept.slice(known).findLast(({ from }) => from === deed.by.address) ?? null) : null
    tally.count('deeds', deed.action.name)
    tally.count('prepared by', name)
    const { simulation } = prepared
    if (simulation.status !== 'succeeds') {
      tally.fault(
        `The tables allow ${nameOf(deed)} by ${deed.by.address}, but the chain says ${JSON.stringify(simulation)}`,
      )
    }
    return { deed, prepared, kept, hash: '0x' }
  }

  /** What a wallet has, by the names that a simulation has for it. */
  const wealth = async ({ by, life, input }: Deed) => {
    const market = (life?.market ?? input.market) as Market
    const { shared, markets: places } = chain.deployments
    const { depositVault } = places[market]
    const [tok, usdc, deposit, free] = await chain.client.multicall({
      allowFailure: false,
      contracts: [
        { address: shared.tokToken, abi: erc20Abi, functionName: 'balanceOf', args: [by.address] },
        { address: shared.usdc, abi: erc20Abi, functionName: 'balanceOf', args: [by.address] },
        { address: depositVault, abi: depositVaultAbi, functionName: 'balanceOf', args: [by.address] },
        { address: depositVault, abi: depositVaultAbi, functionName: 'freeOf', args: [by.address] },
      ],
    })
    return { 'TOK in the wallet': tok, 'USDC in the wallet': usdc, deposit, 'deposit not reserved': free }
  }

  /** Holds what happened against what was promised, and tells those who must know. */
  const note = async (sent: readonly Sent[], signed: readonly Signed[], before: readonly Record<string, bigint>[]) => {
    let at = 0
    for (const [index, { deed, prepared, kept }] of sent.entries()) {
      at += prepared.calls.length
      const hash = signed[at - 1]?.hash ?? '0x'
      const receipt = await chain.client.getTransactionReceipt({ hash })
      if (receipt.status !== 'success')
        tally.fault(`${nameOf(deed)} by ${deed.by.address} failed in block ${receipt.blockNumber}.`)
      const { life } = deed
      if (life && life.number === null && receipt.status === 'success') life.number = numberIn(receipt.logs as never)
      const after = await wealth(deed)
      for (const [what, amount] of Object.entries(after)) {
        const change =
          prepared.simulation.status === 'succeeds'
            ? prepared.simulation.changes.find((each) => each.what === what)
            : null
        const promised = change ? BigInt(change.after) : before[index]?.[what]
        tally.count('promises', 'held')
        if (promised !== amount)
          tally.fault(`${nameOf(deed)}: ${what} was promised to be ${promised} and is ${amount}.`)
      }
      if (kept) background(surfaces.submitted(kept, hash))
      if (deed.action.name === 'buy-plan') background(upgrade(deed, hash))
      if (deed.action.name === 'post-task' && life?.number && random.chance(0.7)) background(record(life, hash))
    }
  }

  /** Records a post, as a client does after it was mined. */
  const record = async ({ market, number, poster, terms }: Life, txHash: Hex) => {
    const total = terms.milestones.reduce((sum, { amountTokWei }) => sum + amountTokWei, 0n)
    const body = {
      address: poster.address,
      taskId: `v2:${market}:${number}`,
      txHash,
      taskAmountTok: String(total),
      market,
    }
    const urls = crew.apiUrls.map((url) => `${url}/api/posting/record`)
    // A reorganisation may take it off the chain meanwhile: then it is never found.
    await call.until('api', urls, posted(body), ({ status }) => [200, 409, 422].includes(status))
  }

  /** Has a plan applied that was paid for. */
  const upgrade = async ({ input }: Deed, txHash: Hex) => {
    const { beneficiary: address, tier, payWith, market } = input
    const urls = crew.apiUrls.map((url) => `${url}/api/posting/upgrade`)
    const body = posted({ address, tier, payWith, market, txHash })
    await call.until('api', urls, body, ({ status }) => [200, 409, 422].includes(status))
  }

  crew.setHonest(false)
  for (let second = 0; second < seconds; second++) {
    for (const mishap of mishaps.get(second) ?? []) await suffer(mishap)
    const now = chain.head().timestamp
    await step(lives.filter(({ due, isOver }) => !isOver && due <= now).slice(0, 12), false)
  }
  for (let block = 0; block < maxLateBlocks; block++) {
    const live = lives.filter(({ isOver }) => !isOver)
    if (live.length === 0) break
    const now = chain.head().timestamp
    const due = live.filter((life) => life.due <= now)
    if (due.length > 0) await step(due.slice(0, 12), true)
    else await chain.mine([], Math.max(1, Math.min(...live.map((life) => life.due)) - now))
  }
  crew.setHonest(true)
  await Promise.all(recoveries)
  return said
}

/** How often each surface prepares. */
const mix: readonly SurfaceName[] = [
  'api',
  'api',
  'api',
  'api',
  'gateway',
  'gateway',
  'gateway',
  'svc-prepare',
  'direct',
]

function numberIn(logs: never): bigint | null {
  const [log] = parseEventLogs({ abi: taskRegistryAbi, eventName: ['TaskPosted', 'TaskCreated'], logs })
  return log?.args.taskId ?? null
}

/** Looks up again which task each life is: after a reorganisation it may be another, or none. */
async function find(lives: readonly Life[], chain: PlannedChain, { rpc }: Provider): Promise<void> {
  const numbers = new Map<Hex, bigint>()
  for (const market of markets) {
    const address = chain.deployments.markets[market].taskRegistry
    const logs = await getLogs(rpc, { address }, { from: 0n, to: chain.head().number })
    for (const { args } of parseEventLogs({
      abi: taskRegistryAbi,
      eventName: ['TaskPosted', 'TaskCreated'],
      logs: logs as never,
    })) {
      numbers.set(args.terms.criteriaHash, args.taskId)
    }
  }
  for (const life of lives) {
    life.number = numbers.get(life.terms.criteriaHash) ?? null
    if (!life.isOver) continue
    ;[life.isOver, life.due] = [false, chain.head().timestamp]
  }
}
