import { getStanding, UnknownTaskError } from '@svc/chain'
import { formatAmount, formatTaskId, limits, type Market, market, parseTaskId, taskId } from '@svc/protocol'
import { type NextStep, nextSteps } from '@svc/protocol/actions'
import {
  listMetaJson,
  metaJson,
  metaJsonOf,
  taskDetailJson,
  taskDetailJsonOf,
  taskJson,
  taskJsonOf,
} from '@svc/protocol/http'
import type { TaskRecord } from '@svc/protocol/records'
import * as z from 'zod/mini'
import type { Answer, Call, Command } from './command.ts'
import { fieldsOf } from './field.ts'
import { fieldsOfAction } from './fieldsOfAction.ts'
import type { Line } from './line.ts'
import { textLines } from './textLines.ts'

const input = z.strictObject({
  taskId: z.optional(taskId),
  market,
  limit: z.optional(z.int().check(z.minimum(limits.list.min), z.maximum(limits.list.max))),
})

const step = z.object({
  action: z.string(),
  summary: z.string(),
  needs: z.array(z.string()),
  until: z.nullable(z.int()),
})

/** Reads a task and what the wallet may do with it, or the open tasks. */
export const read: Command = {
  name: 'read',
  summary: 'Read a task and what you may do with it now; without a task, list those that can be claimed.',
  fields: fieldsOf(input, { taskId: 'the open tasks', market: 'standard', limit: '20' }),
  from: 'optional',
  answer: z.union([
    z.object({ task: taskDetailJson, nextSteps: z.nullable(z.array(step)), meta: metaJson }),
    z.object({ tasks: z.array(taskJson), meta: listMetaJson }),
  ]),
  run: (call) => (call.input.taskId === undefined ? listOpen(call) : readTask(call)),
}

async function readTask({ input: given, from, open }: Call): Promise<Answer> {
  const { markets } = await open()
  const id = parseTaskId(String(given.taskId))
  const contracts = markets.places.markets[id.market]
  const { detail, block } = await markets.reader.getTask(id.market, id.number)
  if (!detail) throw new UnknownTaskError(id)
  const standing =
    from && (await markets.providers.read((provider) => getStanding(provider, contracts, id, [from], block)))
  const steps = standing && nextSteps(standing, from, block.timestamp)
  const task = taskDetailJsonOf(detail, id.market, contracts.taskRegistry, block.timestamp)
  const lines: Line[] = [
    { heading: `${task.id}: ${task.state}, ${task.phase}` },
    `  Pays ${formatAmount(detail.task.total, 'tok')}; in escrow ${formatAmount(heldOf(detail.task), 'tok')}`,
    `  Poster ${task.poster}${task.worker ? `, worker ${task.worker}` : ''}`,
    `  Settlement digest ${task.settlementDigest}`,
    ...(task.text ? [...textLines(task.text)] : []),
    ...(steps ? ['', { heading: 'You may now' }, ...stepLines(steps, task.id)] : []),
  ]
  return { json: { task, nextSteps: steps?.map(stepJson) ?? null, meta: metaJsonOf(id.market, block, false) }, lines }
}

const heldOf = ({ funded, released, refunded }: TaskRecord) => funded - released - refunded

const stepJson = ({ action, needs, until }: NextStep) => ({
  action: action.name,
  summary: action.summary,
  needs,
  until,
})

/** The commands of steps, with what they still ask for. */
function stepLines(steps: readonly NextStep[], id: string): Line[] {
  if (steps.length === 0) return ['  Nothing with this task.']
  return steps.map(({ action, needs }) => {
    const flags = fieldsOfAction(action)
      .filter(({ name, otherwise }) => needs.includes(name) && (otherwise === undefined || otherwise === 'nothing'))
      .map(({ flag }) => ` --${flag} …`)
    return `  svc-prepare ${action.name} --task-id ${id}${flags.join('')} --from …: ${action.summary}`
  })
}

async function listOpen({ input: given, open }: Call): Promise<Answer> {
  const { markets } = await open()
  const chosen = (given.market ?? 'standard') as Market
  const { tasks, next, block } = await markets.reader.listOpen(chosen, { limit: (given.limit as number) ?? 20 })
  const { taskRegistry } = markets.places.markets[chosen]
  return {
    json: {
      tasks: tasks.map((task) => taskJsonOf(task, chosen, taskRegistry)),
      meta: { ...metaJsonOf(chosen, block, false), nextCursor: next === null ? null : String(next) },
    },
    lines: [
      { heading: `${tasks.length} open tasks in the ${chosen} market, newest first` },
      ...tasks.map(
        ({ number, total, poster }) =>
          `  ${formatTaskId({ market: chosen, number })}  ${formatAmount(total, 'tok')}  by ${poster}`,
      ),
    ],
  }
}
