import type { Random } from '../sim/random.ts'
import { type Member, members } from './crew.ts'

/** Something that goes wrong before a step of the plan. */
export type Mishap =
  | { kind: 'kill'; member: Member }
  | { kind: 'killDatabase' }
  /** So many blocks are taken back; each transaction in them is lost with this probability. */
  | { kind: 'reorg'; depth: number; loss: number; isLate: boolean }

/** How often each happens in ten minutes. */
const often = { kill: 6, killDatabase: 2, reorg: 10, deafReorg: 2 }
/** Most reorganisations are shallow; none goes past what providers call final. */
const depths = [1, 1, 2, 2, 3, 5, 8, 13, 21, 34] as const

/** Draws what goes wrong, and before which step. */
export function planMishaps(random: Random, steps: number): Map<number, Mishap[]> {
  const planned = new Map<number, Mishap[]>()
  const first = Math.min(40, steps >> 1)
  const times = (count: number) => Math.max(1, Math.round((count * steps) / 600))
  const plan = (...mishaps: Mishap[]) => {
    const step = first + random.below(steps - first)
    planned.set(step, [...(planned.get(step) ?? []), ...mishaps])
  }
  const reorg = (): Mishap => ({
    kind: 'reorg',
    // What wallets have is not taken back.
    depth: Math.min(random.pick(depths), Math.max(1, first - 1)),
    loss: random.pick([0, 0.2, 0.5, 1]),
    isLate: random.chance(0.3),
  })
  const kill = (member: Member): Mishap => ({ kind: 'kill', member })
  // Everybody dies at least once.
  for (let turn = 0; turn < Math.max(members.length, times(often.kill)); turn++)
    plan(kill(members[turn] ?? random.pick(members)))
  for (let turn = 0; turn < times(often.killDatabase); turn++) plan({ kind: 'killDatabase' })
  for (let turn = 0; turn < times(often.reorg); turn++) plan(reorg())
  // The chain goes another way while nobody tells those who follow it.
  for (let turn = 0; turn < times(often.deafReorg); turn++) plan(kill('api 1'), kill('api 2'), reorg())
  return planned
}
