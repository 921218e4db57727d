import { hash } from 'node:crypto'
import { formatTask } from '@svc/operations'
import type { Market } from '@svc/protocol'
import type { TaskRecord } from '@svc/protocol/records'
import type { Address } from 'viem'
import type { TaskPage, TaskPageText } from './reader.ts'

/** A task as HTTP responses contain it, and a fingerprint of that text: 32 hex digits. */
export interface TaskText {
  text: string
  mark: string
}

/** Serializes a task. The index stores the result, so that responses do not serialize it again. */
export function serializeTask(task: TaskRecord, market: Market, registry: Address): TaskText {
  const text = JSON.stringify(formatTask(task, market, registry))
  return { text, mark: hash('sha256', text, 'hex').slice(0, 32) }
}

/** Serializes a page of tasks. */
export function serializeTaskPage({ tasks, next }: TaskPage, market: Market, registry: Address): TaskPageText {
  const texts = tasks.map((task) => serializeTask(task, market, registry))
  return {
    text: texts.map(({ text }) => text).join(','),
    marks: Buffer.from(texts.map(({ mark }) => mark).join(''), 'hex'),
    next,
  }
}
