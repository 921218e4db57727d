import type { MarketReader } from '@svc/chain'
import { IndexUnavailableError } from '@svc/index'
import { type Market, markets } from '@svc/protocol'
import type { Simulation } from '../sim/simulation.ts'
import type { Trace } from './trace.ts'
import { type Falsehood, findFalsehood } from './truth.ts'

/** What a watch writes down. */
export interface Watched {
  checks: number
  rows: number
  falsehood: Falsehood | null
}

/** Reads the index as users do, while nobody moves, and compares it with the truth. */
export function createWatch(simulation: Simulation, reader: MarketReader, trace: Trace, watched: Watched) {
  // A restart breaks each connection of the reader's pool once.
  let allowed = 0
  const { wallets } = simulation
  let turn = 0
  /** Four wallets, others each time: all of them are compared in the end. */
  const some = () => Array.from({ length: 4 }, () => wallets[turn++ % wallets.length] as (typeof wallets)[number])

  const lookAt = async (market: Market, all: boolean): Promise<void> => {
    for (;;) {
      try {
        const found = await findFalsehood(simulation, reader, market, all ? wallets : some())
        trace.note('watch', `${market} ${found ? `${found.rows} rows` : 'of another branch'}`)
        if (!found) return
        watched.checks++
        watched.rows += found.rows
        watched.falsehood ??= found.falsehood
        return
      } catch (error) {
        if (error instanceof IndexUnavailableError) return trace.note('watch', error.message)
        if (!isLostConnection(error) || allowed-- <= 0) throw error
      }
    }
  }
  return {
    /** Forgives the reader the connections that a restart takes from it. */
    allow: () => {
      allowed = 8
    },
    look: async (all = false): Promise<void> => {
      for (const market of markets) await lookAt(market, all)
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
