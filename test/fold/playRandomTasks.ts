import {
  accounts,
  advanceTime,
  CallRevertedError,
  getChainTime,
  type Job,
  type Scene,
  sendApprovals,
  sendPost,
  sendTransaction,
} from '@svc/devnet'
import { buildCalls, listNextSteps, type TaskContext } from '@svc/protocol/actions'
import type { Random } from '@svc/simulation/random'
import { type Address, BaseError, parseUnits } from 'viem'
import { buildFullInput } from '../protocol/buildFullInput.ts'
import { readTaskContexts } from '../protocol/readTaskContext.ts'

const everybody = Object.values(accounts).map(({ address }) => address)
const posters = [accounts.ada, accounts.bruno, accounts.chiara, accounts.devi]
const strangers = [accounts.emeka, accounts.goran, accounts.hana, accounts.ivo, accounts.keeper]
/** Actions that would end most tasks too early. */
const hasty = new Set([
  'accept-milestone',
  'cancel-task',
  'mutual-cancel',
  'complete-task',
  'leave-task',
  'dismiss-worker',
])

/** Plays random tasks, one after the other. In each step a random wallet takes a random allowed action. Returns the actions. */
export async function playRandomTasks(scene: Scene, random: Random, lives: number): Promise<string[]> {
  const { client, contracts, params } = scene
  const { below, chance, pick } = random
  const pauses = [
    params.vetWindow,
    params.consentWindow,
    params.evidenceWindow,
    params.rulingWindow,
    params.appealWindow,
    params.courtWindow,
  ]
  const done: string[] = []
  for (let life = 0; life < lives; life++) {
    const job = await postAny(scene, random)
    for (let step = 0; step < 25; step++) {
      if (chance(0.2)) await advanceTime(client, below(1.2 * pick(pauses)))
      const [context] = await readTaskContexts(scene, [job.id], everybody)
      if (!context) throw new Error(`Task ${job.id} was not read.`)
      const now = (await getChainTime(client)) + 1
      const offered = involved(context).flatMap((wallet) =>
        listNextSteps(context, wallet, now).map((each) => ({ wallet, ...each })),
      )
      const patient = offered.filter(({ action }) => !hasty.has(action.name))
      const choices = chance(0.05) || patient.length === 0 ? offered : patient
      if (choices.length === 0) break
      const { wallet, action, derived, cost } = pick(choices)
      const input = { ...(await buildFullInput(scene, { action, context, terms: job.terms, wallet })), ...derived }
      if (await wentThrough(wallet, buildCalls(action, input, { from: wallet, contracts, cost })))
        done.push(action.name)
    }
  }
  return done

  async function wentThrough(wallet: Address, calls: ReturnType<typeof buildCalls>): Promise<boolean> {
    const account = Object.values(accounts).find(({ address }) => address === wallet)
    if (!account) return false
    try {
      for (const { to, data } of calls) await sendTransaction(client, account, { to, data })
      return true
    } catch (error) {
      // The chain's clock advances between the read and the call.
      if (error instanceof BaseError || error instanceof CallRevertedError) return false
      throw error
    }
  }
}

async function postAny(scene: Scene, { below, chance, pick }: Random): Promise<Job> {
  const amounts = Array.from({ length: 1 + below(3) }, () => parseUnits(String(100 + below(900)), 18) + 1n)
  const poster = pick(posters)
  // The calls of an action approve exactly what they spend, so no allowance is left.
  await sendApprovals(scene, poster)
  const offer = {
    poster,
    text: 'Draw a map\n\nOf the old harbour.',
    amounts,
    duration: 4 * scene.params.minDuration,
    permitOnly: chance(0.2),
    ...(chance(0.3) && { arbitrator: accounts.lena.address }),
  }
  return sendPost(scene, offer, chance(0.3) ? 0n : undefined)
}

function involved({ task, dispute, finalCourt }: TaskContext): Address[] {
  const judges = dispute ? [dispute.judge ?? dispute.posterProposal ?? finalCourt, finalCourt] : []
  const parties = task.worker ? [task.poster, task.worker] : [task.poster]
  return [...new Set([...parties, ...judges, ...strangers.map(({ address }) => address)])] as Address[]
}
