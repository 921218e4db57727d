import type { Market } from '@svc/protocol'
import type { Random } from '@svc/simulation/random'
import type { Runner, Scheduler } from './scheduler.ts'
import type { Trace } from './trace.ts'

export interface FaultInjectorOptions {
  scheduler: Scheduler
  random: Random
  trace: Trace
  report: { kills: number; restarts: number }
  /** Starts a follower in place of a killed one. */
  startFollower: (market: Market) => Promise<void>
  restart: (() => Promise<void>) | undefined
  onRestart: () => void
}

/** Ways to lose a connection around a statement. */
const losses = ['lost before', 'lost after', 'refused before', 'refused after'] as const

/** Gives a runner its turn, or injects a fault instead; most often at a commit. */
export function createFaultInjector({
  scheduler,
  random,
  trace,
  report,
  startFollower: hire,
  restart,
  onRestart,
}: FaultInjectorOptions) {
  const kill = async (runner: Runner): Promise<void> => {
    trace.record(runner.name, 'is killed')
    report.kills++
    await scheduler.kill(runner)
    await hire(runner.market)
  }
  const restartAll = async (): Promise<void> => {
    trace.record('postgres', 'restarts')
    report.restarts++
    await scheduler.cutAll(restart)
    onRestart()
  }
  return async (runner: Runner): Promise<void> => {
    if (!random.chance(faultProbability(runner))) return scheduler.advance(runner)
    if (random.chance(0.03)) return restartAll()
    if (random.chance(0.3)) return kill(runner)
    report.kills++
    if (runner.points[0]?.connection) return scheduler.advance(runner, random.pick(losses))
    trace.record(runner.name, 'loses its connection')
    await scheduler.cut(runner)
  }
}

function faultProbability({ points: [at] }: Runner): number {
  if (at?.kind === 'request') return 0.3
  if (at?.kind === 'pause') return 0.002
  return at?.what === 'commit' ? 0.08 : 0.015
}
