import { type IndexReader, IndexUnavailableError } from '@svc/index'
import { type Market, markets } from '@svc/protocol'
import type { Simulation } from '@svc/simulation/chain'
import { findMismatch, type Mismatch } from '../shared/findMismatch.ts'
import type { Trace } from './trace.ts'

/** The counters that a comparison updates. */
export interface ComparisonReport {
  checks: number
  rows: number
  mismatch: Mismatch | null
}

/** Reads the index as clients do, while no follower moves, and compares it with the simulation. */
export function createComparison(simulation: Simulation, reader: IndexReader, trace: Trace, report: ComparisonReport) {
  // A restart breaks each connection of the reader's pool once.
  let allowed = 0
  const { wallets } = simulation
  let turn = 0
  /** The next four wallets, so that all of them are compared over time. */
  const nextWallets = () =>
    Array.from({ length: 4 }, () => wallets[turn++ % wallets.length] as (typeof wallets)[number])

  const compareMarket = async (market: Market, all: boolean): Promise<void> => {
    for (;;) {
      try {
        const found = await findMismatch(simulation, reader, market, all ? wallets : nextWallets())
        trace.record('watch', `${market} ${found ? `${found.rows} rows` : 'of another branch'}`)
        if (!found) return
        report.checks++
        report.rows += found.rows
        report.mismatch ??= found.mismatch
        return
      } catch (error) {
        if (error instanceof IndexUnavailableError) return trace.record('watch', error.message)
        if (!isLostConnection(error) || allowed-- <= 0) throw error
      }
    }
  }
  return {
    /** Allows the reader to lose the connections that a restart breaks. */
    allowReconnects: () => {
      allowed = 8
    },
    compare: async (all = false): Promise<void> => {
      for (const market of markets) await compareMarket(market, all)
      allowed = 0
    },
  }
}

function isLostConnection(error: unknown): boolean {
  const { code = '' } = error as { code?: string }
  return ['CONNECTION_CLOSED', 'CONNECTION_ENDED', 'ECONNRESET', 'ECONNREFUSED', 'EPIPE', '57P01', '57P03'].includes(
    code,
  )
}
