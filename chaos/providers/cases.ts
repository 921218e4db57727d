import { createNode, createSimulation, freezeChain, type Simulation } from '@svc/simulation/chain'
import type { Random } from '@svc/simulation/random'
import {
  capRange,
  capResults,
  changeData,
  cutAnswers,
  delay,
  forgeHeaders,
  lagBehind,
  omitLogs,
  type ProviderFault,
  replaceNode,
  reportChainId,
  shiftTimestamps,
  throttle,
  throttleAnswers,
  truncateLogs,
  withoutFinalized,
  withoutTimestamps,
  zeroBlooms,
} from './faults.ts'

/** What a fault is made from. */
interface FaultContext {
  simulation: Simulation
  random: Random
  /** The clock of the provider and of its clients. */
  now: () => number
}

/** What providers restrict. An index must follow the chain in spite of it. */
const limits = {
  latency: ({ random }) => delay(1, 5, random),
  rangeCap: ({ random }) => capRange(random.pick([3, 10, 40])),
  resultCap: () => capResults(60),
  throttled: ({ random, now }) => throttle(12, random.pick(throttleNames), now),
  noFinalized: () => withoutFinalized('null'),
  rejectsFinalized: () => withoutFinalized('error'),
  noTimestamps: () => withoutTimestamps,
} as const satisfies FaultTable

/** What is not true, or no answer at all. */
const lies = {
  zeroedBlooms: () => zeroBlooms,
  shiftedTimestamps: ({ random }) => shiftTimestamps(random.pick([-30, 1, 600])),
  forgedHeaders: ({ simulation, random }) => forgeHeaders(random.below(simulation.chain.head().number + 30)),
  omittedLogs: ({ random }) => omitLogs(random.pick([1, 2, 7])),
  truncatedLogs: ({ random }) => truncateLogs(random.pick([1, 20])),
  changedLogs: ({ random }) => changeData(random.pick([1, 2, 7])),
  staleHead: ({ random }) => lagBehind(random.pick([1, 8, 120])),
  frozen: ({ simulation }) => freezeAt(simulation, simulation.chain.head().number + 5),
  otherChainId: () => reportChainId(84532),
  otherChain: ({ random }) => createOtherChain(random.below(1_000_000)),
  cutAnswers: () => cutAnswers(900),
} as const satisfies FaultTable

type FaultTable = Readonly<Record<string, (context: FaultContext) => ProviderFault>>

export const providerFaults = { ...limits, ...lies }
export type ProviderFaultName = keyof typeof providerFaults
export const isLimit = (name: ProviderFaultName): boolean => name in limits

/** One provider with these faults among so many, or two with the same. */
export interface ProviderCase {
  faults: readonly ProviderFaultName[]
  providers: 2 | 3
  liars?: 1 | 2
}

/** Every fault alone and every two together, of two providers and of three. */
function listCases(): ProviderCase[] {
  const names = Object.keys(providerFaults) as ProviderFaultName[]
  const pairs = names.flatMap((one, index) => names.slice(index + 1).map((other) => [one, other]))
  return [...names.map((name) => [name]), ...pairs].flatMap((faults) =>
    ([2, 3] as const).map((providers) => ({ faults, providers })),
  )
}

/** Two of three that leave out or change the same logs. Only receipts show who is right. */
const conspiracies = (['omittedLogs', 'truncatedLogs', 'changedLogs'] as const).map(
  (name): ProviderCase => ({ faults: [name], providers: 3, liars: 2 }),
)

/** Returns the cases of a seed, so that `seeds` consecutive seeds run all of them. Two liars are in every seed. */
export const listCasesOfSeed = (seed: number, seeds: number): ProviderCase[] => [
  ...listCases().filter((_, index) => index % seeds === seed % seeds),
  ...conspiracies.filter((_, index) => index === seed % conspiracies.length),
]

const throttleNames = Object.keys(throttleAnswers) as (keyof typeof throttleAnswers)[]

/** Stops at a block, and stays on its branch. */
function freezeAt(simulation: Simulation, block: number): ProviderFault {
  let frozen: ReturnType<typeof createNode> | null = null
  return replaceNode(() => {
    if (!frozen && simulation.chain.head().number >= block)
      frozen = createNode({ ...simulation, chain: freezeChain(simulation.chain) }, { answersCalls: false })
    return frozen
  })
}

/** Another chain with the same id. */
function createOtherChain(seed: number): ProviderFault {
  const other = createSimulation({ seed })
  other.mine(200, { empty: true })
  const node = createNode(other)
  return replaceNode(() => node)
}
