import { type Market, markets } from '@svc/protocol'
import { Counter, Gauge, Registry } from 'prom-client'
import type { KeeperEvent } from './keeper.ts'

/** Creates the metrics of the keeper. Amounts are in ether: a gauge has no more than 53 bits. */
export function createKeeperMetrics(registry = new Registry()) {
  const common = { registers: [registry] }
  const perMarket = { ...common, labelNames: ['market'] as const }
  const watched = new Gauge({ ...perMarket, name: 'svc_keeper_watched_tasks', help: 'Running tasks that are watched.' })
  const due = new Gauge({ ...perMarket, name: 'svc_keeper_due_calls', help: 'Calls that are due and not made yet.' })
  const oldest = new Gauge({
    ...perMarket,
    name: 'svc_keeper_oldest_due_seconds',
    help: 'For how long the oldest of them has been due.',
  })
  const calls = new Counter({
    ...common,
    labelNames: ['market', 'action', 'outcome'] as const,
    name: 'svc_keeper_calls_total',
    help: 'Calls by outcome: done, reverted, cancelled or lost; obsolete if somebody else was first.',
  })
  const held = new Counter({
    ...common,
    labelNames: ['why'] as const,
    name: 'svc_keeper_held_total',
    help: 'Calls that were not sent: budget, fee, busy or rejected.',
  })
  const spent = new Counter({ ...common, name: 'svc_keeper_spent_eth_total', help: 'Spent on gas, in ether.' })
  const left = new Gauge({
    ...common,
    labelNames: ['window'] as const,
    name: 'svc_keeper_budget_left_eth',
    help: 'What is left of the gas budget of the hour and of the day, in ether.',
  })
  const balance = new Gauge({ ...common, name: 'svc_keeper_balance_eth', help: 'Balance of the wallet, in ether.' })
  const inFlight = new Gauge({ ...common, name: 'svc_keeper_in_flight', help: 'Transactions that wait for a block.' })
  const block = new Gauge({
    ...common,
    name: 'svc_keeper_block_timestamp_seconds',
    help: 'Timestamp of the last block that was read, in unix seconds.',
  })
  const faults = new Counter({
    ...common,
    name: 'svc_keeper_faults_total',
    help: 'Parts of a poll that failed, because a provider or the API did.',
  })

  for (const market of markets) for (const gauge of [watched, due, oldest]) gauge.set({ market }, 0)
  for (const window of ['hour', 'day']) left.set({ window }, 0)
  for (const why of ['budget', 'fee', 'busy', 'rejected']) held.inc({ why }, 0)

  return {
    registry,
    record(event: KeeperEvent): void {
      if (event.kind === 'settled') {
        const { market, action } = event.call
        calls.inc({ market, action, outcome: event.outcome })
        spent.inc(toEther(event.costWei))
      } else if (event.kind === 'obsolete') {
        calls.inc({ market: event.call.market, action: event.call.action, outcome: 'obsolete' })
      } else if (event.kind === 'held') held.inc({ why: event.why })
      else if (event.kind === 'fault') faults.inc()
      else if (event.kind === 'polled') {
        const { status } = event
        for (const [market, counts] of Object.entries(status.markets) as [
          Market,
          { watched: number; due: number; oldestSeconds: number },
        ][]) {
          watched.set({ market }, counts.watched)
          due.set({ market }, counts.due)
          oldest.set({ market }, counts.oldestSeconds)
        }
        left.set({ window: 'hour' }, toEther(status.left.hour))
        left.set({ window: 'day' }, toEther(status.left.day))
        balance.set(toEther(status.balanceWei))
        inFlight.set(status.inFlight)
        block.set(status.timestamp)
      }
    },
  }
}

const toEther = (wei: bigint) => Number(wei) / 1e18
