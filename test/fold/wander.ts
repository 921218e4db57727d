import { accounts, approve, CallRefusedError, chainTime, type Job, post, type Scene, sendData, warp } from '@svc/devnet'
import { callsOf, nextSteps, type Standing } from '@svc/protocol/actions'
import { type Address, BaseError, parseUnits } from 'viem'
import type { Random } from '../differential/random.ts'
import { bring } from '../protocol/bring.ts'
import { readStandings } from '../protocol/readStanding.ts'

const everybody = Object.values(accounts).map(({ address }) => address)
const posters = [accounts.ada, accounts.bruno, accounts.chiara, accounts.devi]
const strangers = [accounts.emeka, accounts.goran, accounts.hana, accounts.ivo, accounts.keeper]
/** What would end most tasks before anything has happened to them. */
const hasty = new Set([
  'accept-milestone',
  'cancel-task',
  'mutual-cancel',
  'complete-task',
  'leave-task',
  'dismiss-worker',
])

/** Fresh tasks live at random, one after the other: at each step somebody does what they may do. Gives the steps done. */
export async function wander(scene: Scene, random: Random, lives: number): Promise<string[]> {
  const { client, contracts, params } = scene
  const { below, chance, pick } = random
  const pauses = [
    params.vetWindow,
    params.consentWindow,
    params.evidenceWindow,
    params.rulingWindow,
    params.appealWindow,
  ]
  const done: string[] = []
  for (let life = 0; life < lives; life++) {
    const job = await postAny(scene, random)
    for (let step = 0; step < 25; step++) {
      if (chance(0.2)) await warp(client, below(1.2 * pick(pauses)))
      const [standing] = await readStandings(scene, [job.id], everybody)
      if (!standing) throw new Error(`Task ${job.id} was not read.`)
      const now = (await chainTime(client)) + 1
      const offered = involved(standing).flatMap((wallet) =>
        nextSteps(standing, wallet, now).map((each) => ({ wallet, ...each })),
      )
      const patient = offered.filter(({ action }) => !hasty.has(action.name))
      const choices = chance(0.05) || patient.length === 0 ? offered : patient
      if (choices.length === 0) break
      const { wallet, action, known, cost } = pick(choices)
      const input = { ...(await bring(scene, { action, standing, terms: job.terms, wallet })), ...known }
      if (await wentThrough(wallet, callsOf(action, input, { from: wallet, contracts, cost }))) done.push(action.name)
    }
  }
  return done

  async function wentThrough(wallet: Address, calls: ReturnType<typeof callsOf>): Promise<boolean> {
    const account = Object.values(accounts).find(({ address }) => address === wallet)
    if (!account) return false
    try {
      for (const { to, data } of calls) await sendData(client, account, { to, data })
      return true
    } catch (error) {
      // The clock of the chain runs on between the look and the call.
      if (error instanceof BaseError || error instanceof CallRefusedError) return false
      throw error
    }
  }
}

async function postAny(scene: Scene, { below, chance, pick }: Random): Promise<Job> {
  const amounts = Array.from({ length: 1 + below(3) }, () => parseUnits(String(100 + below(900)), 18) + 1n)
  const poster = pick(posters)
  // The calls of an action leave an exact allowance behind, which is nothing.
  await approve(scene, poster)
  const offer = {
    poster,
    text: 'Draw a map\n\nOf the old harbour.',
    amounts,
    duration: 4 * scene.params.minDuration,
    permitOnly: chance(0.2),
    ...(chance(0.3) && { arbitrator: accounts.lena.address }),
  }
  return post(scene, offer, chance(0.3) ? 0n : undefined)
}

function involved({ task, dispute }: Standing): Address[] {
  const panel = dispute?.panel.map(({ arbitrator }) => arbitrator) ?? []
  const parties = task.worker ? [task.poster, task.worker] : [task.poster]
  return [...new Set([...parties, ...panel, ...strangers.map(({ address }) => address)])] as Address[]
}
