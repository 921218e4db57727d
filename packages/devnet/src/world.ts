import type { Deployments } from '@svc/chain'
import { type Market, markets } from '@svc/protocol'
import { parseUnits } from 'viem'
import { accounts, listPeople, type Person } from './accounts.ts'
import type { DevnetClient } from './client.ts'
import { sendRegistration } from './disputeSteps.ts'
import { refreshPrice } from './mocks.ts'
import { createScenarioRun, listScenarios, type Scenario, type ScenarioRun, type ScenarioStep } from './scenarios.ts'
import { createScene, type Scene } from './scene.ts'
import type { DemoBundle } from './sealWork.ts'
import { advanceTimeTo } from './time.ts'
import { openStaking, sendApprovals, sendPlanPurchase, sendStake, sendTokens, sendTopUp } from './walletSteps.ts'

/** A task of the demo world: its scenario and its number in its market. */
export interface DemoTask {
  market: Market
  scenario: Scenario
  taskId: bigint
}

/** Everything of the demo world that is not on the chain itself. */
export interface BuiltWorld {
  tasks: DemoTask[]
  /** What the hashes on the chain stand for. */
  bundles: DemoBundle[]
}

/** Seconds of history that the demo world needs. The genesis block must be at least this old. */
export const worldSpan = 24 * 24 * 60 * 60

/**
 * Fills a new deployment with wallets and tasks, so that at `present` (unix seconds) both markets have tasks in every state and
 * phase. The steps of all scenarios run in the order of time.
 */
export async function buildWorld(
  client: DevnetClient,
  deployments: Deployments,
  present: number,
  onProgress: (done: number, total: number) => void = () => {},
): Promise<BuiltWorld> {
  await setUpMarkets(client, deployments)
  const scenes = markets.map((market) => createScene(client, deployments, market))
  const runs = scenes.flatMap((scene, offset) =>
    listScenarios(scene.market).map((scenario, index) => ({
      scenario,
      run: createScenarioRun(scene, scenario, index + offset, present),
    })),
  )
  const steps = runs.flatMap(({ scenario, run }) => scenario.steps.map((step) => ({ scenario, run, step })))
  steps.sort((a, b) => b.step.secondsAgo - a.step.secondsAgo)
  for (const [index, { scenario, run, step }] of steps.entries()) {
    await advanceTimeTo(client, Math.floor(present - step.secondsAgo))
    await runStep(scenario, run, step)
    onProgress(index + 1, steps.length)
  }
  await advanceTimeTo(client, present)
  await refreshPrice(client, accounts.keeper)
  return {
    tasks: runs.map(({ scenario, run }) => ({ market: run.scene.market, scenario, taskId: run.job?.id ?? 0n })),
    bundles: scenes.flatMap(({ bundles }) => bundles),
  }
}

async function runStep(scenario: Scenario, run: ScenarioRun, step: ScenarioStep): Promise<void> {
  try {
    await step.run(run)
  } catch (cause) {
    throw new Error(
      `${run.scene.market} ${scenario.name}, ${step.secondsAgo} s before the present: ${(cause as Error).message}`,
      { cause },
    )
  }
}

const tok = (amount: number) => parseUnits(String(amount), 18)
const usd = (amount: number) => parseUnits(String(amount), 6)

/** Stakes in whole TOK, in each market. */
const stakes: Partial<Record<Person, number>> = {
  ada: 2_500_000,
  hana: 600_000,
  farah: 200_000,
  lena: 1_000_000,
}
const plans = [
  { person: 'ada', market: 'standard', plan: 'pro', asset: 'usdc' },
  { person: 'bruno', market: 'standard', plan: 'basic', asset: 'tok' },
  { person: 'chiara', market: 'micro', plan: 'basic', asset: 'tok' },
] as const

/**
 * Prepares both markets for their first task: activates staking, sends tokens to all wallets and sets up approvals, deposits,
 * stakes, bonds and plans. Advances the chain by the timelock's delay of two days.
 */
export async function setUpMarkets(client: DevnetClient, deployments: Deployments): Promise<void> {
  await openStaking(client, deployments)
  const posters = listPeople('poster')
  const workers = listPeople('worker')
  const arbitrators = listPeople('arbitrator')
  const neighbours = listPeople('neighbour')
  for (const person of [...posters, ...workers, ...arbitrators, ...neighbours, 'newcomer'] as const) {
    await sendTokens(client, deployments, accounts[person].address, { tok: tok(8_000_000), usdc: usd(2_500) })
  }
  for (const scene of markets.map((market) => createScene(client, deployments, market))) {
    for (const person of posters) await setUpWallet(scene, person, { deposit: 400 })
    for (const person of workers) await setUpWallet(scene, person, { deposit: 320 })
    const cast = new Set(listScenarios(scene.market).flatMap((each) => [each.cast?.poster, each.cast?.worker]))
    for (const person of neighbours.filter((each) => cast.has(each))) await setUpWallet(scene, person, { deposit: 60 })
    for (const [index, person] of arbitrators.entries()) {
      await setUpWallet(scene, person, { bond: 1_500_000 + 250_000 * index })
    }
    for (const { person, market, plan, asset } of plans) {
      if (market === scene.market) await sendPlanPurchase(scene, accounts[person], plan, asset)
    }
  }
}

/** Sends what a wallet needs before its first task. The deposit is in USD, the bond in whole TOK. */
async function setUpWallet(scene: Scene, person: Person, has: { deposit?: number; bond?: number }): Promise<void> {
  const account = accounts[person]
  const stake = stakes[person]
  await sendApprovals(scene, account)
  if (has.deposit) await sendTopUp(scene, account, usd(has.deposit))
  if (has.bond) await sendRegistration(scene, account, tok(has.bond))
  if (stake) await sendStake(scene, account, tok(stake))
}
