import type { Random } from '@svc/simulation/random'
import type { ServiceName } from './services.ts'

/** A fault that is injected before a step. */
export type Disruption =
  | { kind: 'kill'; name: ServiceName }
  | { kind: 'killDatabase' }
  | { kind: 'killFolder' }
  /** Replaces the last `depth` blocks. Each transaction in them is dropped with probability `loss`. */
  | { kind: 'reorg'; depth: number; loss: number; isLate: boolean }

/** How often each one happens in ten minutes. */
const frequencies = { kill: 6, killDatabase: 2, killFolder: 4, reorg: 10, unseenReorg: 2 }
/** Most reorganisations are shallow. None reaches a finalized block. */
const depths = [1, 1, 2, 2, 3, 5, 8, 13, 21, 34] as const

/** Draws disruptions and the step before which each one happens. */
export function planDisruptions(
  random: Random,
  steps: number,
  serviceNames: readonly ServiceName[],
): Map<number, Disruption[]> {
  const planned = new Map<number, Disruption[]>()
  const first = Math.min(40, steps >> 1)
  const times = (count: number) => Math.max(1, Math.round((count * steps) / 600))
  const plan = (...disruptions: Disruption[]) => {
    const step = first + random.below(steps - first)
    planned.set(step, [...(planned.get(step) ?? []), ...disruptions])
  }
  const reorg = (): Disruption => ({
    kind: 'reorg',
    // Never reorganises the blocks that funded the wallets.
    depth: Math.min(random.pick(depths), Math.max(1, first - 1)),
    loss: random.pick([0, 0.2, 0.5, 1]),
    isLate: random.chance(0.3),
  })
  const kill = (name: ServiceName): Disruption => ({ kind: 'kill', name })
  // Every service is killed at least once.
  for (let turn = 0; turn < Math.max(serviceNames.length, times(frequencies.kill)); turn++)
    plan(kill(serviceNames[turn] ?? random.pick(serviceNames)))
  for (let turn = 0; turn < times(frequencies.killDatabase); turn++) plan({ kind: 'killDatabase' })
  for (let turn = 0; turn < times(frequencies.killFolder); turn++) plan({ kind: 'killFolder' })
  for (let turn = 0; turn < times(frequencies.reorg); turn++) plan(reorg())
  // A reorganisation that no replica sees, because both are down.
  for (let turn = 0; turn < times(frequencies.unseenReorg); turn++) plan(kill('api 1'), kill('api 2'), reorg())
  return planned
}
