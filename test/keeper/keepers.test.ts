import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { accounts, type Person } from '@svc/devnet'
import { createRandom } from '@svc/simulation/random'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { killAllProcesses } from '../../chaos/shared/appProcess.ts'
import { type FaultyProvider, startFaultyProvider } from '../../chaos/whole/faultyProvider.ts'
import { createTally, formatCounts } from '../../chaos/whole/tally.ts'
import { runs } from '../harness/runs.ts'
import { readKeeperCalls, readTotals } from './checkKeepers.ts'
import { driveToRest, takeClock } from './driveToRest.ts'
import { startKeeperProcess } from './keeperProcess.ts'
import { type StuckWorld, startStuckWorld, wayCount } from './stuckWorld.ts'

/** Every way to abandon a task, in both markets. */
const count = runs(2 * wayCount, 2 * wayCount)
const seed = 1
const people = ['keeper', 'newcomer', 'guardian'] as const satisfies readonly Person[]

let world: StuckWorld
let folder: string
const providers: FaultyProvider[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'keepers-'))
  world = await startStuckWorld(count)
})
afterAll(async () => {
  await killAllProcesses()
  for (const provider of providers) await provider.close()
  await world?.devnet.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Generous, because the machine may be busy. */
const timeout = Math.max(300_000, count * 10_000)

test('three keepers, two of them killed again and again, bring every task to rest, each call once', {
  timeout,
}, async () => {
  const { devnet } = world
  const random = createRandom(seed)
  const tally = createTally()
  const odds = { serverError: 0.01, tooMany: 0.01, truncated: 0.005, late: 0.05, staleHead: 0.02 }
  for (const index of [0, 1]) {
    const more = { noLogs: 0.1, noReceipt: 0.1, noBlock: 0.005 }
    const all = { target: devnet.rpcUrl, random: createRandom(seed, index), odds: { ...odds, ...more }, tally }
    providers.push(await startFaultyProvider(all))
  }
  const before = await readTotals(devnet)
  const balances = await readEther()
  const { number: start } = await devnet.client.getBlock()
  const clock = await takeClock(devnet)
  // The first keeper survives. The second has only faulty providers, the third one of each.
  const urls = [devnet.rpcUrl, providers.map(({ url }) => url).join(), `${providers[0]?.url},${devnet.rpcUrl}`]
  const keepers = await Promise.all(
    people.map((person, index) => startKeeperProcess(world, folder, person, { CHAIN_RPC_URL: urls[index] ?? '' })),
  )
  for (const provider of providers) provider.setHonest(false)

  const crashes = new Set<Promise<void>>()
  let killed = 0
  await driveToRest(world, clock, {
    onBlock() {
      if (crashes.size > 0 || !random.chance(0.2)) return
      killed++
      const crash = random
        .pick(keepers.slice(1))
        .crash()
        .finally(() => crashes.delete(crash))
      crashes.add(crash)
    },
  })
  await Promise.all(crashes)
  await clock.mine()

  const { done, reverted, cancelled, costs } = await readKeeperCalls(world, people, start)
  const calls = [...done.values()].reduce((sum, list) => sum + list.length, 0)
  console.log(
    `keepers: ${count} tasks, ${calls} calls, ${reverted} reverted, ${cancelled} cancelled, ${killed} kills, faults: ${formatCounts(tally, 'provider faults')}`,
  )
  expect(done.size).toBe(count)
  expect(killed).toBeGreaterThan(1)
  // Tasks that were abandoned in the same way took the same calls: none is missing and none was made twice.
  const byWay = new Map<string, Set<string>>()
  for (const [task, actions] of done) {
    const way = world.ways.get(task) ?? ''
    byWay.set(way, (byWay.get(way) ?? new Set()).add(actions.join(', ')))
  }
  expect(byWay.size).toBe(wayCount)
  expect([...byWay].filter(([, sequences]) => sequences.size > 1)).toEqual([])
  // Most races are avoided before anybody pays.
  expect(reverted + cancelled).toBeLessThan(calls / 2)

  const after = await readTotals(devnet)
  const nothing = { held: 0n, reserved: 0n, surplus: { escrow: 0n, deposits: 0n } }
  expect(after).toEqual({ ...before, vaults: [nothing, nothing] })
  const spent = await readEther()
  for (const [index, person] of people.entries())
    expect((balances[index] ?? 0n) - (spent[index] ?? 0n)).toBe(costs.get(person) ?? 0n)
})

const readEther = () =>
  Promise.all(people.map((person) => world.devnet.client.getBalance({ address: accounts[person].address })))
