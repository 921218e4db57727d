import { markets } from '@svc/protocol'
import { expect, test } from 'vitest'
import { mayContain } from './bloom.ts'
import { quickHash } from './hash.ts'
import { createSimulation, type Simulation } from './simulation.ts'
import { callKinds, kindOf } from './suite/calls.ts'

const lags = { safe: 5, finalized: 40 }
const start = (seed: number) => createSimulation({ seed, lags })
const json = (value: unknown) => JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}n` : each))
const truth = ({ oracle, chain }: Simulation, block = chain.head().number) => json(oracle.allAt(block))
const eventDigest = ({ chain }: Simulation) => quickHash(json(chain.blocks.map(({ logs }) => logs)))

test('the same seed makes the same chain and the same events, another seed does not', () => {
  const [a, b, c] = [start(1), start(1), start(2)]
  for (const simulation of [a, b, c]) {
    simulation.mine(60)
    simulation.reorg(7, 9)
    simulation.mine(20)
  }
  expect([a.chain.head().hash, eventDigest(a), truth(a)]).toEqual([b.chain.head().hash, eventDigest(b), truth(b)])
  expect(c.chain.head().hash).not.toBe(a.chain.head().hash)
  expect(eventDigest(c)).not.toBe(eventDigest(a))
})

test('blocks are linked by their hashes, five to a second, and every log is in its bloom', () => {
  const { chain, mine } = createSimulation({ seed: 3, leaps: 0 })
  mine(100)
  for (const [index, block] of chain.blocks.entries()) {
    expect(block.number).toBe(index)
    expect(block.timestamp).toBe((chain.blocks[0]?.timestamp ?? 0) + Math.floor(index / 5))
    if (index > 0) expect(block.parentHash).toBe(chain.blocks[index - 1]?.hash)
    for (const { address, topics } of block.logs) {
      expect([address, ...topics].every((item) => mayContain(block.logsBloom, item))).toBe(true)
    }
    const indexes = block.logs.map(({ logIndex }) => logIndex)
    expect(indexes).toEqual([...new Set(indexes)].sort((a, b) => a - b))
  }
  const empty = chain.blocks.find(({ logs }) => logs.length === 0)
  expect(mayContain(empty?.logsBloom ?? '0x', `0x${'11'.repeat(20)}`)).toBe(false)
})

test('a reorg keeps what is below it, forgets what is above it, and the same branch comes back the same', () => {
  const simulation = start(4)
  const { chain, oracle } = simulation
  simulation.mine(80)
  const hashes = chain.blocks.map(({ hash }) => hash)
  const [then, below] = [truth(simulation), truth(simulation, 60)]
  const dropped = simulation.reorg(20, 25)
  expect(dropped.map(({ hash }) => hash)).toEqual(hashes.slice(61))
  expect(chain.blocks.slice(0, 61).map(({ hash }) => hash)).toEqual(hashes.slice(0, 61))
  expect(chain.head().number).toBe(85)
  expect(chain.blocks.slice(61).some(({ hash }) => hashes.includes(hash))).toBe(false)
  expect(chain.byHash(hashes[70] ?? '0x')).toBeUndefined()
  expect(chain.orphan(hashes[70] ?? '0x')?.number).toBe(70)
  expect(truth(simulation, 60)).toBe(below)
  expect(truth(simulation)).not.toBe(then)
  simulation.reorg(25, 20, { branch: 0 })
  expect(chain.blocks.map(({ hash }) => hash)).toEqual(hashes)
  expect(truth(simulation)).toBe(then)
  expect(json(oracle.taskAt(80, 'micro', 1n))).toBe(json(oracle.allAt(80).micro.tasks[0]))
})

test('after any reorgs the truth is that of a chain that had no other branch', () => {
  const reorged = start(5)
  reorged.mine(50)
  reorged.reorg(30, 3)
  reorged.reorg(3, 0)
  reorged.reorg(0, 30, { branch: 0 })
  const straight = start(5)
  straight.mine(50)
  expect(reorged.chain.head().hash).toBe(straight.chain.head().hash)
  for (const block of [1, 20, 21, 35, 50]) expect(truth(reorged, block)).toBe(truth(straight, block))
})

test('a branch may be shorter, empty, or bring the dropped transactions again', () => {
  const simulation = start(6)
  const { chain } = simulation
  simulation.mine(60)
  simulation.reorg(10, 4, { empty: true })
  expect(chain.head().number).toBe(54)
  expect(chain.blocks.slice(51).flatMap(({ logs }) => logs)).toEqual([])
  simulation.mine(6)
  const dropped = simulation.reorg(6, 8, { replay: 1 })
  const before = new Set(dropped.flatMap(({ transactions }) => transactions.map(({ hash }) => hash)))
  const again = chain.blocks
    .slice(55)
    .flatMap(({ transactions }) => transactions.filter(({ hash }) => before.has(hash)))
  expect(again.length).toBeGreaterThan(before.size / 2)
  expect(again.length).toBeGreaterThan(0)
})

test('a transaction may hold several calls, is in one block only, and its logs stand together', () => {
  const simulation = start(7)
  const { chain } = simulation
  simulation.mine(60)
  simulation.reorg(20, 22, { replay: 0.9 })
  const blockOf = new Map<string, number>()
  for (const { number, logs, transactions } of chain.blocks) {
    const hashes = [...new Set(transactions.map(({ hash }) => hash))]
    for (const { hash } of transactions) {
      expect(blockOf.get(hash) ?? number).toBe(number)
      blockOf.set(hash, number)
    }
    expect(logs.every((log) => hashes[log.transactionIndex] === log.transactionHash)).toBe(true)
    expect(logs.map(({ transactionIndex }) => transactionIndex)).toEqual(
      logs.map(({ transactionIndex }) => transactionIndex).sort((a, b) => a - b),
    )
  }
  expect(chain.blocks.flatMap(({ transactions }) => transactions).length).toBeGreaterThan(blockOf.size)
})

test('safe and finalized lag behind and never go back by themselves; a halt moves the clock only', () => {
  const simulation = start(8)
  const { chain } = simulation
  simulation.mine(60)
  expect([chain.safe().number, chain.finalized().number]).toEqual([55, 20])
  simulation.reorg(3, 1)
  expect([chain.head().number, chain.safe().number, chain.finalized().number]).toEqual([58, 55, 20])
  const { timestamp, number } = chain.head()
  simulation.halt(3600)
  const next = simulation.mine()
  expect(next.number).toBe(number + 1)
  expect(next.timestamp).toBeGreaterThanOrEqual(timestamp + 3600)
  expect(() => simulation.reorg(60, 1)).toThrow('cannot drop')
})

test('lives reach every kind of call, state and dispute phase, and the books add up at every hundredth block', () => {
  const simulation = start(9)
  const { chain, oracle } = simulation
  simulation.mine(3_000)
  const kinds = new Set(
    chain.blocks.flatMap(({ transactions }) => transactions.flatMap(({ call }) => (call ? [kindOf(call)] : []))),
  )
  expect(callKinds.filter((kind) => !kinds.has(kind))).toEqual([])
  const states = new Set<string>()
  for (let block = 0; block <= 3_000; block += 100) {
    for (const market of markets) {
      const { tasks, agents, disputes } = oracle.allAt(block)[market]
      for (const { state } of tasks) states.add(state)
      for (const { phase } of disputes) states.add(phase)
      const sum = (values: bigint[]) => values.reduce((total, value) => total + value, 0n)
      expect(sum(agents.map(({ deposit }) => deposit))).toBe(oracle.entriesAt(block, market).own.totalDeposits)
      const reserves = tasks.flatMap(({ number, poster, worker }) =>
        [poster, worker].map((who) => (who ? oracle.reserveAt(block, market, number, who).amount : 0n)),
      )
      expect(sum(agents.map(({ reserved }) => reserved))).toBe(sum(reserves))
      const held = tasks.filter(({ state }) => ['COMPLETED', 'CANCELLED', 'EXPIRED', 'RESOLVED'].includes(state))
      expect(held.every(({ funded, released, refunded }) => funded === released + refunded)).toBe(true)
    }
  }
  expect(states.size).toBe(8 + 5)
})

test('makes events fast enough for benches', () => {
  const simulation = createSimulation({ seed: 10, wallets: 200, liveTasks: 400, load: () => 100 })
  const [begin, used] = [performance.now(), process.cpuUsage()]
  simulation.mine(200)
  const { user, system } = process.cpuUsage(used)
  const seconds = (performance.now() - begin) / 1000
  const events = simulation.chain.blocks.reduce((sum, { logs }) => sum + logs.length, 0)
  const [perSecond, perCpuSecond] = [seconds, (user + system) / 1e6].map((time) => Math.round(events / time))
  console.log(`${perSecond} events/s generated, ${perCpuSecond} in a second of CPU time (${events} events)`)
  expect(events).toBeGreaterThan(15_000)
})
