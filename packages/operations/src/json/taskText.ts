import { hash } from 'node:crypto'
import { type Market, marketParams } from '@svc/protocol'
import type { TaskSnapshot } from '@svc/protocol/internal/records'
import { findPhaseEnd } from '@svc/protocol/internal/tasks'
import type { Address } from 'viem'
import { formatTask } from './task.ts'

/**
 * A task as HTTP responses contain it. Its last fields change at a known second, so the text is in two parts and a page is put
 * together without parsing JSON.
 */
export interface TaskText {
  /** The text up to the fields that depend on time. */
  head: string
  /** The rest of the text up to `phaseEnd`, and after it. */
  early: string
  late: string
  /** The last second of `early`, in unix seconds; null if it holds for ever. */
  phaseEnd: number | null
  /** A fingerprint of the head: 30 hex digits. With the part that follows, it identifies the text. */
  mark: string
}

/** Serializes a task whose `claimableUntil` may have passed. The index stores the parts, so that responses do not serialize it again. */
export function serializeTask(task: TaskSnapshot, market: Market, registry: Address): TaskText {
  const phaseEnd = findPhaseEnd(task, marketParams[market])
  const { phase, claimableUntil, ...rest } = formatTask(task, market, registry, phaseEnd ?? 0)
  const later = formatTask({ ...task, claimableUntil: 0 }, market, registry, Number.POSITIVE_INFINITY)
  const head = JSON.stringify(rest).slice(0, -1)
  return {
    head,
    early: serializeEnd({ phase, claimableUntil }),
    late: serializeEnd({ phase: later.phase, claimableUntil: null }),
    phaseEnd,
    mark: hash('sha256', head, 'hex').slice(0, 30),
  }
}

const serializeEnd = (fields: object) => `,${JSON.stringify(fields).slice(1)}`

/** The last byte of a task's fingerprint in a page: which part follows the head. */
export const textMarks = { early: '00', late: '01' } as const

/**
 * Serializes a page of tasks at a block's time, in unix seconds: the tasks with commas between them, their fingerprints, and the last
 * second at which the page looks like this if nothing happens.
 */
export function serializeTaskPage(
  tasks: readonly TaskSnapshot[],
  market: Market,
  registry: Address,
  now: number,
): { text: string; marks: Uint8Array; validUntil: number | null } {
  const texts = tasks.map((task) => {
    const text = serializeTask(task, market, registry)
    return { ...text, end: text.phaseEnd !== null && now > text.phaseEnd ? ('late' as const) : ('early' as const) }
  })
  const ends = texts.flatMap(({ phaseEnd, end }) => (phaseEnd === null || end === 'late' ? [] : [phaseEnd]))
  return {
    text: texts.map((each) => each.head + each[each.end]).join(','),
    marks: Buffer.from(texts.map(({ mark, end }) => mark + textMarks[end]).join(''), 'hex'),
    validUntil: ends.length > 0 ? Math.min(...ends) : null,
  }
}
