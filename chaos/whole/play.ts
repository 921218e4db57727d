import { getLogs, type MarketReader, type Provider } from '@svc/chain'
import { markets } from '@svc/protocol'
import { taskRegistryAbi } from '@svc/protocol/abis'
import { type Address, type Hex, parseEventLogs } from 'viem'
import { createRandom } from '../sim/random.ts'
import type { AskAround } from './askAround.ts'
import type { Call } from './call.ts'
import { createCarryOut } from './carryOut.ts'
import { type Chooser, choose, type Deed } from './choose.ts'
import type { Crew } from './crew.ts'
import { drawErrand } from './errands.ts'
import type { Life } from './life.ts'
import { type Mishap, planMishaps } from './mishaps.ts'
import type { PlannedChain } from './plannedChain.ts'
import type { Surfaces } from './surfaces.ts'
import { goesHome, takeHome } from './takeHome.ts'
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

/** Deeds a block at most. */
const atOnce = 4
/** More blocks than the longest of all lives takes. */
const maxLateBlocks = 6_000

/** Lives all lives, block by block, and lets go wrong what the seed says. */
export async function play(options: PlayOptions): Promise<{ reorgs: number; deepest: number }> {
  const { seed, seconds, lives, chooser, chain, crew, askAround, direct, tally } = options
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
    if (!isLate && random.chance(0.1)) deeds.push(await drawErrand(random, wallets, direct, chain))
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
    await carryOut(deeds, questions)
  }

  const carryOut = createCarryOut({ ...options, random, background })

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
  await takeHome(chain, wallets.filter(goesHome), carryOut)
  crew.setHonest(true)
  await Promise.all(recoveries)
  return said
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
