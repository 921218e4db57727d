import {
  createChainListing,
  createTaskWalk,
  createTouchedTasks,
  type Head,
  type MarketDeployment,
  type Providers,
  type TaskListing,
  type TaskWalk,
} from '@svc/chain'
import type { Market } from '@svc/protocol'
import { createPollLoop, type PollFault, toError } from '@svc/serve'
import type { Address, Hex, LocalAccount } from 'viem'
import { checkCall } from './checkCall.ts'
import type { FeeLimits } from './fees.ts'
import type { GasBudget } from './gasBudget.ts'
import { createMarketWatch, type DueCall, type MarketWatch, type WatchReport } from './marketWatch.ts'
import { readPastSpending } from './pastSpending.ts'
import { compareCalls } from './purposes.ts'
import { createTransactionSender, type NotSent, type SettledCall } from './sender.ts'
import { computeDelayMs } from './turn.ts'

/** A call in the log and in metrics. */
type CallRef = Pick<DueCall, 'key' | 'market' | 'action'>

/** What a keeper reports. */
export type KeeperEvent =
  | { kind: 'sent'; call: CallRef; hash: Hex; nonce: number }
  | { kind: 'replaced'; key: string; hash: Hex; isCancelled: boolean }
  | { kind: 'settled'; call: CallRef; outcome: SettledCall['outcome']; hash: Hex; costWei: bigint }
  /** The chain no longer allows or needs the call: somebody else made it, or a party acted. */
  | { kind: 'obsolete'; call: CallRef }
  /** The simulation reverts although the call is due. It is tried again. */
  | { kind: 'refused'; call: CallRef; error: string }
  | { kind: 'held'; call: CallRef; why: NotSent }
  | { kind: 'rejected'; key: string; error: Error }
  | PollFault
  | { kind: 'polled'; status: KeeperStatus }

/** The state of a keeper after a poll. */
export interface KeeperStatus {
  block: bigint
  /** Time of that block, in unix seconds. */
  timestamp: number
  balanceWei: bigint
  left: ReturnType<GasBudget['left']>
  inFlight: number
  /** Whether every task was read at least once. */
  isComplete: boolean
  markets: Partial<Record<Market, { watched: number; due: number; oldestSeconds: number }>>
}

export interface KeeperOptions {
  account: LocalAccount
  providers: Providers
  /** Returns the newest block. */
  readHead: () => Promise<Head>
  chainId: number
  deployment: MarketDeployment
  markets: readonly Market[]
  /** Lists running tasks without reading all of them. Optional. */
  api?: TaskListing | undefined
  wallets: readonly Address[]
  /** Ignores what was due before, in unix seconds. */
  since: number
  /** How long a due call is left to the parties. */
  graceSeconds: number
  budget: GasBudget
  fees: FeeLimits
  maxInFlight: number
  /** The most calls of one purpose in the queue. */
  maxQueued?: number
  pollMs: number
  jitterMs: number
  replaceMs: number
  scanMs: number
  onEvent: (event: KeeperEvent) => void
  signal: AbortSignal
}

/** A due call that waits for its turn. */
interface Queued {
  call: DueCall
  /** Not before, in unix milliseconds. */
  notBefore: number
  refusals: number
}

interface Simulation {
  result: ReturnType<typeof checkCall>
  startedAt: number
}

/** The most tasks that are read per poll and market. */
const maxChecks = 1_000
/** Simulations at the same time. */
const maxSimulations = 8
/** An older simulation is repeated before the call is sent: another keeper may have been faster. */
const maxSimulationAgeMs = 250
/** After this many errors the providers are to blame, and the remaining calls wait for the next poll. */
const maxErrors = 3
/** The balance is read again after this time, and after every call. */
const balanceMs = 30_000
/** A refused call is tried again after 1, 2, 4 … polls, up to this many. */
const maxBackoff = 16

/**
 * Keeps markets until the signal aborts: finds what anyone may call, simulates it, and sends it. Errors are reported and
 * retried. Nothing is stored: the chain says what is left to do, so any number of keepers can run, stop or crash at any time.
 */
export async function runKeeper(options: KeeperOptions): Promise<void> {
  const {
    account,
    providers,
    deployment,
    markets,
    budget,
    maxQueued = 2_000,
    pollMs,
    jitterMs,
    onEvent,
    signal,
  } = options
  const chain = createChainListing(providers, deployment)
  const touched = createTouchedTasks(deployment, markets)
  const watches = new Map(
    markets.map((market) => {
      const { api, wallets, since, graceSeconds, scanMs: restMs } = options
      const watch = createMarketWatch({
        market,
        contracts: deployment.markets[market],
        providers,
        wallets,
        since,
        graceSeconds,
      })
      const onFallback = (error: Error) => onEvent({ kind: 'fault', what: 'list tasks through the API', error })
      return [market, { watch, walk: createTaskWalk({ market, chain, api, restMs, onFallback }) }] as const
    }),
  )
  const queue = new Map<string, Queued>()
  /** The calls in flight, for reports: the queue may have changed since. */
  const sentCalls = new Map<string, DueCall>()
  const sender = createTransactionSender({
    ...options,
    onReplaced: (key, hash, isCancelled) => onEvent({ kind: 'replaced', key, hash, isCancelled }),
    onRejected: (key, error) => onEvent({ kind: 'rejected', key, error }),
  })

  const { attempt, run } = createPollLoop(pollMs, onEvent, signal)

  /**
   * Makes room in the queue for a call. If it is full of calls for the same purpose, the one that would be made last is left out,
   * and the next walk finds it again. Returns false if that is the new one.
   */
  const makeRoom = (call: DueCall): boolean => {
    if (queue.size < maxQueued) return true
    const waiting = [...queue.values()].map((queued) => queued.call).filter(({ key }) => !sentCalls.has(key))
    const rivals = waiting.filter(({ purpose }) => purpose === call.purpose)
    if (rivals.length < maxQueued) return true
    const last = rivals.reduce((a, b) => (compareCalls(a, b) > 0 ? a : b))
    if (compareCalls(call, last) >= 0) return false
    return queue.delete(last.key)
  }

  const addDue = ({ due, idle }: WatchReport) => {
    for (const key of idle) {
      const queued = queue.get(key)
      if (!queued || sentCalls.has(key)) continue
      queue.delete(key)
      onEvent({ kind: 'obsolete', call: queued.call })
    }
    for (const call of due) {
      const known = queue.get(call.key)
      if (known?.call.data === call.data && known.call.to === call.to) known.call = call
      else if (known || makeRoom(call)) {
        const delay = computeDelayMs(account.address, `${call.key} ${call.data} ${call.since}`, jitterMs)
        queue.set(call.key, { call, notBefore: Date.now() + delay, refusals: 0 })
      }
    }
  }

  const find = () =>
    attempt('follow events', async () => {
      const tasks = await providers.read((provider) => touched.list(provider))
      for (const { market, number } of tasks) watches.get(market)?.watch.mark(number)
    })

  const check = (head: Head, { watch, walk }: { watch: MarketWatch; walk: TaskWalk }) =>
    attempt('read tasks', async () => {
      while (watch.counts().marked < maxChecks) {
        const numbers = await walk.next()
        for (const number of numbers) watch.mark(number)
        if (!walk.isWalking()) break
      }
      await watch.check(maxChecks, head.timestamp, addDue)
    })

  const settle = () =>
    attempt('read receipts', async () => {
      const settled = await sender.settle(async (call) => {
        const result = await checkCall(providers, account.address, call)
        // In the pending block our own transaction has made the call already.
        return result.status === 'ready' || result.at === 'pending'
      })
      for (const { key, outcome, hash, costWei } of settled) {
        const call = sentCalls.get(key)
        sentCalls.delete(key)
        if (!call) continue
        queue.delete(key)
        balance.readAt = Number.NEGATIVE_INFINITY
        // The task may have another call that is due.
        watches.get(call.market)?.watch.mark(call.number)
        onEvent({ kind: 'settled', call, outcome, hash, costWei })
      }
    })

  const postpone = (queued: Queued) => {
    queued.notBefore = Date.now() + pollMs * Math.min(2 ** queued.refusals, maxBackoff)
    queued.refusals++
  }

  /** Simulates a call and sends it. Returns why none was sent, if that holds for other calls too. */
  const make = async (queued: Queued, baseFee: bigint, simulation: Simulation): Promise<NotSent | null> => {
    const { call } = queued
    const isOld = Date.now() - simulation.startedAt > maxSimulationAgeMs
    const result = await (isOld ? checkCall(providers, account.address, call) : simulation.result)
    if (result.status === 'refused') {
      postpone(queued)
      // Either it is done, or it is too early: the task says which.
      watches.get(call.market)?.watch.mark(call.number)
      if (result.at === 'latest') onEvent({ kind: 'refused', call, error: result.error })
      return null
    }
    const { key, to, data, purpose } = call
    const sent = await sender.send({ key, to, data, purpose }, result.gas, baseFee)
    if ('not' in sent) {
      if (sent.not === 'rejected') postpone(queued)
      onEvent({ kind: 'held', call, why: sent.not })
      return sent.not
    }
    sentCalls.set(key, call)
    onEvent({ kind: 'sent', call, hash: sent.hash, nonce: sent.nonce })
    return null
  }

  const makeCalls = (head: Head) =>
    attempt('make calls', async () => {
      let ready = [...queue.values()]
        .filter(({ call, notBefore }) => notBefore <= Date.now() && !sentCalls.has(call.key))
        .toSorted((a, b) => compareCalls(a.call, b.call))
      let errors = 0
      for (let tried = 0; tried < 4 * options.maxInFlight && ready.length > 0 && !signal.aborted; ) {
        const some = ready.slice(0, maxSimulations)
        ready = ready.slice(some.length)
        tried += some.length
        const startedAt = Date.now()
        const results = some.map(({ call }) => checkCall(providers, account.address, call))
        // Awaited one by one below; an error of a later one must not go unhandled.
        for (const each of results) each.catch(() => {})
        for (const [index, queued] of some.entries()) {
          const result = results[index]
          if (!result) continue
          try {
            const not = await make(queued, head.baseFee, { result, startedAt })
            // Calls for another purpose may still have their part of the budget.
            if (not === 'budget') ready = ready.filter(({ call }) => call.purpose !== queued.call.purpose)
            else if (not) return
          } catch (error) {
            // One call that providers cannot simulate must not hold up the others.
            postpone(queued)
            onEvent({ kind: 'fault', what: `call ${queued.call.action}`, error: toError(error) })
            if (++errors >= maxErrors) throw error
          }
        }
      }
    })

  const balance = { wei: 0n, readAt: Number.NEGATIVE_INFINITY }
  const report = ({ number, timestamp }: Head) =>
    attempt('read the balance', async () => {
      if (Date.now() - balance.readAt > balanceMs) {
        balance.wei = await providers.read(({ client }) => client.getBalance({ address: account.address }))
        balance.readAt = Date.now()
      }
      const calls = [...queue.values()].map(({ call }) => call)
      const status: KeeperStatus = {
        block: number,
        timestamp,
        balanceWei: balance.wei,
        left: budget.left(),
        inFlight: sentCalls.size,
        isComplete: [...watches.values()].every(({ walk }) => walk.isComplete()),
        markets: Object.fromEntries(
          [...watches].map(([market, { watch }]) => {
            const due = calls.filter((call) => call.market === market)
            const oldest = Math.min(timestamp, ...due.map(({ since }) => since ?? timestamp))
            return [market, { watched: watch.counts().watched, due: due.length, oldestSeconds: timestamp - oldest }]
          }),
        ),
      }
      onEvent({ kind: 'polled', status })
    })

  const poll = async (): Promise<boolean> => {
    let head: Head | undefined
    await attempt('read the newest block', async () => {
      head = await options.readHead()
    })
    if (!head) return false
    const results = [await find(), await settle()]
    for (const each of watches.values()) results.push(await check(head, each))
    results.push(await report(head))
    // Without ether every transaction would be simulated and rejected. Until the wallet has some, readiness says so.
    if (balance.wei > 0n) results.push(await makeCalls(head))
    return !results.includes(false)
  }

  // Without old state, the budget begins again, and the balance is the only limit on what a restart can spend.
  await attempt('read what the wallet spent before', async () =>
    budget.restore(await readPastSpending(providers, account.address)),
  )
  // A walk over many tasks goes on without a pause, unless there is more to do than fits.
  await run(poll, () => queue.size < maxQueued && [...watches.values()].some(({ walk }) => walk.isWalking()))
}
