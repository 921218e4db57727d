import type { Deployments } from '@svc/chain'
import { type Market, markets } from '@svc/protocol'
import { parseUnits } from 'viem'
import { accounts, type Person, peopleWhoAre } from './accounts.ts'
import type { DevnetClient } from './client.ts'
import { registerArbitrator } from './disputeSteps.ts'
import { refreshPrice } from './mocks.ts'
import { type Beat, type Plot, plotsOf, type Stage, stageOf } from './plots.ts'
import { createScene } from './scene.ts'
import { warpTo } from './time.ts'
import { approve, buyPlan, give, openStaking, stake, topUp } from './walletSteps.ts'

/** One task of the world: which plot it played, and its number in its market. */
export interface Told {
  market: Market
  plot: Plot
  taskId: bigint
}

/** How far back the demo world begins, in seconds: a chain for it needs a genesis at least this old. */
export const worldSpan = 21 * 24 * 60 * 60

/**
 * Fills a fresh deployment with people and tasks, so that at `present` (unix seconds) every state and every phase is
 * there in both markets. The stories of all tasks are told together, in the order of time.
 */
export async function buildWorld(
  client: DevnetClient,
  deployments: Deployments,
  present: number,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<Told[]> {
  await furnish(client, deployments)
  const scenes = markets.map((market) => createScene(client, deployments, market))
  const tales = scenes.flatMap((scene, offset) =>
    plotsOf(scene.market).map((plot, index) => ({ plot, stage: stageOf(scene, plot.name, index + offset, present) })),
  )
  const beats = tales.flatMap(({ plot, stage }) => plot.beats.map((beat) => ({ plot, stage, beat })))
  beats.sort((a, b) => b.beat.ago - a.beat.ago)
  for (const [index, { plot, stage, beat }] of beats.entries()) {
    await warpTo(client, Math.floor(present - beat.ago))
    await play(plot, stage, beat)
    onProgress(index + 1, beats.length)
  }
  await warpTo(client, present)
  await refreshPrice(client, accounts.keeper)
  return tales.map(({ plot, stage }) => ({ market: stage.scene.market, plot, taskId: stage.job?.id ?? 0n }))
}

async function play(plot: Plot, stage: Stage, beat: Beat): Promise<void> {
  try {
    await beat.play(stage)
  } catch (cause) {
    throw new Error(
      `${stage.scene.market} ${plot.name}, ${beat.ago} s before the present: ${(cause as Error).message}`,
      { cause },
    )
  }
}

const tok = (amount: number) => parseUnits(String(amount), 18)
const usd = (amount: number) => parseUnits(String(amount), 6)

/** What people own in each market. Deposits are USD, the rest whole TOK. */
const stakes: Partial<Record<Person, number>> = { ada: 250_000, hana: 60_000, farah: 20_000, lena: 100_000 }
const plans = [
  { person: 'ada', market: 'standard', plan: 'pro', asset: 'usdc' },
  { person: 'bruno', market: 'standard', plan: 'basic', asset: 'tok' },
  { person: 'chiara', market: 'micro', plan: 'basic', asset: 'tok' },
] as const

/**
 * Opens staking, gives everybody money and puts allowances, deposits, stakes, bonds and plans in place: all that a
 * market needs before its first task. Takes the timelock's two days of chain time.
 */
export async function furnish(client: DevnetClient, deployments: Deployments): Promise<void> {
  await openStaking(client, deployments)
  const posters = peopleWhoAre('poster')
  const workers = peopleWhoAre('worker')
  const arbitrators = peopleWhoAre('arbitrator')
  for (const person of [...posters, ...workers, ...arbitrators, 'newcomer'] as const) {
    await give(client, deployments, accounts[person].address, { tok: tok(8_000_000), usdc: usd(2_500) })
  }
  for (const scene of markets.map((market) => createScene(client, deployments, market))) {
    for (const person of [...posters, ...workers, ...arbitrators]) await approve(scene, accounts[person])
    for (const person of posters) await topUp(scene, accounts[person], usd(320))
    for (const person of workers) await topUp(scene, accounts[person], usd(240))
    for (const [index, person] of arbitrators.entries()) {
      await registerArbitrator(scene, accounts[person], tok(20_000 + 10_000 * index))
    }
    for (const [person, amount] of Object.entries(stakes)) {
      await stake(scene, accounts[person as Person], tok(amount))
    }
    for (const { person, market, plan, asset } of plans) {
      if (market === scene.market) await buyPlan(scene, accounts[person], plan, asset)
    }
  }
}
