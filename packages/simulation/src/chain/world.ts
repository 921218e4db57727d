import { type Market, markets } from '@svc/protocol'
import { encodePlanId, paidPlans, planPrices } from '@svc/protocol/internal/money'
import { liveStates } from '@svc/protocol/internal/tasks'
import type { Address } from 'viem'
import { isBonded } from '../model/facts.ts'
import { newArbitrator } from '../model/world.ts'
import type { Random } from '../random.ts'
import { likelyCall, signature } from './likely.ts'
import type { SimCall } from './suite/calls.ts'
import { type AgentEntry, createMarketEntry } from './suite/state.ts'
import type { Suite } from './suite/suite.ts'
import { randomTerms } from './terms.ts'
import { listDeadlines } from './times.ts'
import type { SimWallet } from './wallets.ts'

export interface WorldOptions {
  wallets: readonly SimWallet[]
  /** Approximate number of live tasks in each market. */
  liveTasks: number
}

/** The people of a simulation. A choice depends only on the random source and the state of the suite. */
export interface World {
  /** Returns the calls before the first task: deposits, bonds, stakes. */
  opening: () => { market: Market; call: SimCall }[]
  /** Must be called before the first choice in a block. */
  beginBlock: () => void
  /** Must be called after the suite was rewound. */
  forget: () => void
  /** Chooses a call that will probably succeed; null if nothing was chosen. */
  choose: (random: Random, now: number) => { market: Market; call: SimCall } | null
  /** Returns the seconds to one of the next deadlines, or to one second after it. */
  leap: (random: Random, now: number) => number
}

const usd = 1_000_000n
const tok = 10n ** 18n
const isLive = (state: string) => (liveStates as readonly string[]).includes(state)

/** Creates the people of a suite. Throws for fewer than two wallets. */
export function createWorld(suite: Suite, { wallets, liveTasks }: WorldOptions): World {
  if (wallets.length < 2) throw new RangeError('A market needs at least two wallets.')
  const { states, params, digests, places } = suite
  // Numbers only grow, so both lists stay sorted after a reorg too.
  const live = { standard: [] as bigint[], micro: [] as bigint[] } satisfies Record<Market, bigint[]>
  const seen = { standard: 0n, micro: 0n } satisfies Record<Market, bigint>
  const readMarketEntry = (market: Market) => states[market].own.get('own') ?? createMarketEntry()
  const anyone = ({ pick }: Random) => pick(wallets).address
  const listJudges = (market: Market) =>
    readMarketEntry(market).roster.filter((wallet) => isBonded(states[market].arbitrators.get(wallet) ?? newArbitrator))

  const notice = (market: Market) => {
    for (const { taskCount } = readMarketEntry(market); seen[market] < taskCount; ) live[market].push(++seen[market])
  }

  const chooseNewTask = (market: Market, random: Random, now: number): SimCall | null => {
    const poster = random.pick(wallets)
    const bonded = listJudges(market)
    const arbitrator = bonded.length > 0 && random.chance(0.6) ? random.pick(bonded) : null
    const worker = random.pick(wallets)
    const isPrivate = random.chance(0.25)
    const storer = random.pick(wallets)
    const store = storer.signs && random.chance(0.25) ? storer.address : null
    const wishes = { params: params[market], now, poster: poster.address, arbitrator, store, isPrivate }
    const { terms, text } = randomTerms(random, wishes)
    const total = terms.amounts.reduce((sum, amount) => sum + amount, 0n)
    if (!isPrivate) {
      const fundAmount = random.pick([0n, total, total, total / 2n])
      return { contract: 'taskRegistry', name: 'post', from: poster.address, args: [terms, text, fundAmount] }
    }
    if (poster === worker || !poster.signs || !worker.signs) return null
    const args = [terms, worker.address, signature({ random, now }), signature({ random, now })] as const
    return { contract: 'taskRegistry', name: 'create', from: random.pick([poster, worker]).address, args }
  }

  const onTask = (market: Market, random: Random, now: number): SimCall | null => {
    const { tasks, disputes } = states[market]
    // A judge has little time, so cases come first.
    const few = Array.from({ length: 3 }, () => random.pick(live[market]))
    const number = few.find((each) => tasks.get(each)?.state === 'DISPUTED') ?? random.pick(few)
    const task = tasks.get(number)
    if (!task || !isLive(task.state)) return null
    return likelyCall(task, {
      market,
      random,
      now,
      wallets,
      params: params[market],
      dispute: disputes.get(number),
      judges: listJudges(market),
      finalCourt: places.finalCourt,
      digestFor: (worker) => digests[market].settlement(task.termsHash, worker),
    })
  }

  /** Picks a wallet that matches, or any wallet if none does. */
  const withSome = (market: Market, random: Random, has: (entry: Readonly<AgentEntry>) => boolean): Address => {
    const rich = wallets.filter(({ address }) => {
      const entry = states[market].agents.get(address)
      return entry && has(entry)
    })
    return rich.length > 0 ? random.pick(rich).address : anyone(random)
  }

  const aside = (market: Market, random: Random): SimCall => {
    const { pick, below, chance, word } = random
    const from = anyone(random)
    const other = anyone(random)
    const { deposit = 0n, staked = 0n } = states[market].agents.get(from) ?? {}
    const dollars = () => BigInt(1 + below(60)) * usd
    const vault = (call: Omit<Extract<SimCall, { contract: 'stakingVault' }>, 'contract'>) =>
      ({ contract: 'stakingVault', ...call }) as SimCall
    const choices: (() => SimCall)[] = [
      () => ({ contract: 'depositVault', name: 'topUp', from, args: [dollars()] }),
      () => ({ contract: 'depositVault', name: 'topUpFor', from, args: [other, dollars()] }),
      () => ({
        contract: 'depositVault',
        name: 'withdraw',
        from,
        args: [deposit / BigInt(2 + below(8)), pick([from, other])],
      }),
      () => vault({ name: 'stake', from, args: [BigInt(1 + below(200_000)) * tok] }),
      () => vault({ name: 'unstake', from, args: [chance(0.3) ? staked : staked / 2n] }),
      () => vault({ name: 'claimRewards', from: withSome(market, random, (entry) => entry.staked > 0n), args: [] }),
      () => ({ contract: 'arbitration', name: 'register', from, args: [BigInt(pick([0, 10_000, 25_000])) * tok] }),
      () => ({ contract: 'arbitration', name: 'requestUnbond', from, args: [] }),
      () => ({ contract: 'arbitration', name: 'unbond', from: pick(unbonding(market, from)), args: [] }),
      () => ({
        contract: 'arbitration',
        name: 'withdraw',
        from: withSome(market, random, (entry) => entry.awards > 0n),
        args: [other],
      }),
      () => ({
        contract: 'escrowVault',
        name: 'withdraw',
        from: withSome(market, random, (entry) => entry.payouts > 0n),
        args: [other],
      }),
      () => ({ contract: 'taskRegistry', name: 'invalidateNonce', from, args: [BigInt(`0x${word().slice(0, 12)}`)] }),
      () => plan(random, from, pick([from, other])),
    ]
    // Pauses are rare, because a paused market does little else.
    if (chance(0.08)) return ofOwner(market, random)
    return pick(choices)()
  }

  const ofOwner = (market: Market, { pick }: Random): SimCall => {
    const { owner, guardian } = places
    const contract = pick(['taskRegistry', 'stakingVault'] as const)
    return pick<SimCall>([
      { contract: 'taskRegistry', name: 'pauseEntries', from: guardian, args: [] },
      { contract: 'taskRegistry', name: 'setGuardian', from: owner, args: [guardian] },
      // So far ahead that the simulation goes on.
      { contract: 'taskRegistry', name: 'sunset', from: owner, args: [1_000_000_000_000n] },
      readMarketEntry(market).pendingOwners[contract]
        ? { contract, name: 'acceptOwnership', from: owner, args: [] }
        : { contract, name: 'transferOwnership', from: owner, args: [owner] },
    ])
  }

  const unbonding = (market: Market, otherwise: Address): readonly Address[] => {
    const found = readMarketEntry(market).roster.filter((wallet) => states[market].arbitrators.get(wallet)?.unbondAt)
    return found.length > 0 ? found : [otherwise]
  }

  const plan = ({ pick, chance, below }: Random, from: Address, beneficiary: Address): SimCall => {
    const name = pick(paidPlans)
    const inTok = chance(0.5)
    const price = inTok ? BigInt(2_000 + below(20_000)) * tok : planPrices[name].listPriceUsd
    const args = [encodePlanId(name), beneficiary, inTok ? places.tok : places.usdc, price] as const
    return { contract: 'paymentGateway', name: 'buyPlan', from, args }
  }

  return {
    opening: () =>
      markets.flatMap((market) => {
        const calls: SimCall[] = [
          { contract: 'stakingVault', name: 'activateStaking', from: places.owner, args: [] },
          ...wallets.flatMap(({ address: from, judges, stakes }, index): SimCall[] => [
            { contract: 'depositVault', name: 'topUpFor', from, args: [from, BigInt(60 + 40 * (index % 6)) * usd] },
            ...(judges
              ? [
                  {
                    contract: 'arbitration',
                    name: 'register',
                    from,
                    args: [BigInt(10_000 + 4_000 * index) * tok],
                  } as const,
                ]
              : []),
            ...(stakes
              ? [
                  {
                    contract: 'stakingVault',
                    name: 'stake',
                    from,
                    args: [BigInt(1_000_000 * (1 + (index % 5))) * tok],
                  } as const,
                ]
              : []),
          ]),
        ]
        return calls.map((call) => ({ market, call }))
      }),
    beginBlock() {
      for (const market of markets) {
        notice(market)
        live[market] = live[market].filter((number) => isLive(states[market].tasks.get(number)?.state ?? 'NONE'))
      }
    },
    forget() {
      for (const market of markets) {
        live[market] = []
        seen[market] = 0n
      }
    },
    choose(random, now) {
      const market = random.pick(markets)
      notice(market)
      if (readMarketEntry(market).paused && random.chance(0.5)) {
        return {
          market,
          call: { contract: 'taskRegistry', name: 'unpauseEntries', from: places.guardian, args: [] },
        }
      }
      const count = live[market].length
      const another = count === 0 || random.chance(count < liveTasks ? 0.3 : 0.02)
      const call = random.chance(0.08)
        ? aside(market, random)
        : another
          ? chooseNewTask(market, random, now)
          : onTask(market, random, now)
      return call && { market, call }
    },
    leap(random, now) {
      const market = random.pick(markets)
      const { tasks, disputes } = states[market]
      if (live[market].length === 0) return random.below(3600)
      const limits: number[] = []
      for (let sample = 0; sample < 6; sample++) {
        const number = random.pick(live[market])
        const task = tasks.get(number)
        if (task) limits.push(...listDeadlines(task, disputes.get(number), params[market]))
      }
      const ahead = limits.filter((limit) => limit >= now).sort((a, b) => a - b)
      // Only the nearest deadlines: a leap to the last one would end all other tasks.
      return ahead.length > 0 ? random.pick(ahead.slice(0, 3)) - now + random.below(2) : random.below(3600)
    },
  }
}
