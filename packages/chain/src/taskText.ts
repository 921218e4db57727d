import { hash } from 'node:crypto'
import type { Market } from '@svc/protocol'
import { taskJsonOf } from '@svc/protocol/http'
import type { TaskRecord } from '@svc/protocol/records'
import type { Address } from 'viem'
import type { TaskPage, TaskPageText } from './reader.ts'

/** A task as every HTTP answer shows it, and a mark that stays as long as the text does: 32 hex digits. */
export interface TaskText {
  text: string
  mark: string
}

/** Writes a task out. The index keeps what this says, so that it need not be said again for every answer. */
export function taskTextOf(task: TaskRecord, market: Market, registry: Address): TaskText {
  const text = JSON.stringify(taskJsonOf(task, market, registry))
  return { text, mark: hash('sha256', text, 'hex').slice(0, 32) }
}

/** A page of tasks, written out. */
export function pageTextOf({ tasks, next }: TaskPage, market: Market, registry: Address): TaskPageText {
  const texts = tasks.map((task) => taskTextOf(task, market, registry))
  return {
    text: texts.map(({ text }) => text).join(','),
    marks: Buffer.from(texts.map(({ mark }) => mark).join(''), 'hex'),
    next,
  }
}
