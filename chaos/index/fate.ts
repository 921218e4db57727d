import type { Market } from '@svc/protocol'
import type { Random } from '../sim/random.ts'
import type { Runner, Stage } from './stage.ts'
import type { Trace } from './trace.ts'

export interface FateOptions {
  stage: Stage
  random: Random
  trace: Trace
  report: { kills: number; restarts: number }
  /** A new follower in the place of one that was killed. */
  hire: (market: Market) => Promise<void>
  restart: (() => Promise<void>) | undefined
  onRestart: () => void
}

/** Ways to lose a connection around a statement. */
const losses = ['lost before', 'lost after', 'refused before', 'refused after'] as const

/** Gives a runner its turn, or a misfortune instead: at a commit more often than elsewhere. */
export function createFate({ stage, random, trace, report, hire, restart, onRestart }: FateOptions) {
  const kill = async (runner: Runner): Promise<void> => {
    trace.note(runner.name, 'is killed')
    report.kills++
    await stage.kill(runner)
    await hire(runner.market)
  }
  const restartAll = async (): Promise<void> => {
    trace.note('postgres', 'restarts')
    report.restarts++
    await stage.cutAll(restart)
    onRestart()
  }
  return async (runner: Runner): Promise<void> => {
    if (!random.chance(dangerOf(runner))) return stage.go(runner)
    if (random.chance(0.03)) return restartAll()
    if (random.chance(0.3)) return kill(runner)
    report.kills++
    if (runner.points[0]?.line) return stage.go(runner, random.pick(losses))
    trace.note(runner.name, 'loses its connection')
    await stage.cut(runner)
  }
}

function dangerOf({ points: [at] }: Runner): number {
  if (at?.kind === 'request') return 0.3
  if (at?.kind === 'pause') return 0.002
  return at?.what === 'commit' ? 0.08 : 0.015
}
