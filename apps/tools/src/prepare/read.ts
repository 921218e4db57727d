import { getTaskContext, UnknownTaskError } from '@svc/chain'
import {
  type BlockedJson,
  blockedJson,
  buildResponseMeta,
  formatBlocked,
  formatTask,
  formatTaskDetail,
  listMetaJson,
  metaJson,
  taskDetailJson,
  taskJson,
} from '@svc/operations'
import { formatAmount, formatTaskId, formatTime, limits, type Market, parseTaskId } from '@svc/protocol'
import { listNextSteps, type NextStep } from '@svc/protocol/actions'
import { market } from '@svc/protocol/internal/base'
import { claimPolicyLabels, taskId } from '@svc/protocol/internal/tasks'
import type { TaskRecord } from '@svc/protocol/records'
import * as z from 'zod/mini'
import type { Answer, Call, Command } from './command.ts'
import { listFields } from './field.ts'
import type { Line } from './lines.ts'
import { listActionFields } from './listActionFields.ts'
import { renderTaskText } from './renderTaskText.ts'

const input = z.strictObject({
  taskId: z.optional(taskId),
  market,
  limit: z.optional(z.int().check(z.minimum(limits.list.min), z.maximum(limits.list.max))),
})

const step = z.object({
  action: z.string(),
  title: z.string(),
  explain: z.string(),
  required: z.array(z.string()),
  until: z.nullable(z.int()),
})

/** Shows a task with the wallet's next steps, or lists the open tasks. */
export const readCommand: Command = {
  name: 'read',
  summary: 'Show a task and what you can do with it now. Without a task id, list the tasks that can be claimed.',
  fields: listFields(input, { taskId: 'the open tasks', market: 'standard', limit: '20' }),
  from: 'optional',
  answer: z.union([
    z.object({
      task: taskDetailJson,
      nextSteps: z.nullable(z.array(step)),
      blocked: z.nullable(z.array(blockedJson)),
      meta: metaJson,
    }),
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
  const context =
    from && (await markets.providers.read((provider) => getTaskContext(provider, contracts, id, [from], block)))
  const steps = context && listNextSteps(context, from, block.timestamp)
  const blocked = context && formatBlocked(context, from, block.timestamp)
  const task = formatTaskDetail(detail, id.market, contracts, block.timestamp)
  const lines: Line[] = [
    { heading: `${task.id}: ${task.state}, ${task.phase}` },
    `  Pays ${formatAmount(detail.task.total, 'tok')}; in escrow ${formatAmount(computeHeld(detail.task), 'tok')}`,
    ...(task.claimableUntil
      ? [`  Can be claimed until ${formatTime(task.claimableUntil)}: ${claimPolicyLabels[task.claimPolicy]}`]
      : []),
    `  Poster ${task.poster}${task.worker ? `, worker ${task.worker}` : ''}`,
    ...(task.settlementDigest ? [`  Settlement digest ${task.settlementDigest}`] : []),
    ...(task.text ? [...renderTaskText(task.text)] : []),
    ...(steps ? ['', { heading: 'You can now' }, ...renderSteps(steps, task.id)] : []),
    ...(blocked?.length ? ['', { heading: 'Not possible yet' }, ...blocked.map(renderBlocked)] : []),
  ]
  return {
    json: {
      task,
      nextSteps: steps?.map(stepToJson) ?? null,
      blocked: blocked ?? null,
      meta: buildResponseMeta(id.market, block),
    },
    lines,
  }
}

const computeHeld = ({ funded, released, refunded }: TaskRecord) => funded - released - refunded

const stepToJson = ({ action, required, until }: NextStep) => ({
  action: action.name,
  title: action.title,
  explain: action.explain,
  required,
  until,
})

/** Renders steps as commands with their required options. */
function renderSteps(steps: readonly NextStep[], id: string): Line[] {
  if (steps.length === 0) return ['  Nothing to do with this task.']
  return steps.map(({ action, required }) => {
    const flags = listActionFields(action)
      .filter(({ name, otherwise }) => required.includes(name) && (otherwise === undefined || otherwise === 'nothing'))
      .map(({ flag }) => ` --${flag} …`)
    return `  svc-prepare ${action.name} --task-id ${id}${flags.join('')} --from …: ${action.explain}`
  })
}

/** Renders why an action is not possible, and what would change that. */
function renderBlocked({ action, rule, have, missing, waitUntil, cure }: BlockedJson): Line {
  const remedy = [
    ...(missing ? [`missing ${missing}, there is ${have}`] : []),
    ...(waitUntil ? [`from ${formatTime(waitUntil)}`] : []),
    ...(cure ? [`${cure.by === 'you' ? 'you can' : `the ${cure.by} can`} ${cure.action}`] : []),
  ]
  return `  ${action}: needs that ${rule}${remedy.map((each) => `; ${each}`).join('')}`
}

async function listOpen({ input: given, open }: Call): Promise<Answer> {
  const { markets } = await open()
  const chosen = (given.market ?? 'standard') as Market
  const { tasks, next, block } = await markets.reader.listOpen(chosen, { limit: (given.limit as number) ?? 20 })
  const { taskRegistry } = markets.places.markets[chosen]
  return {
    json: {
      tasks: tasks.map((task) => formatTask(task, chosen, taskRegistry, block.timestamp)),
      meta: { ...buildResponseMeta(chosen, block), nextCursor: next === null ? null : String(next) },
    },
    lines: [
      { heading: `${tasks.length} open tasks in the ${chosen} market, newest first` },
      ...tasks.map(
        ({ number, total, poster, claimPolicy, claimableUntil }) =>
          `  ${formatTaskId({ market: chosen, number })}  ${formatAmount(total, 'tok')}  by ${poster}  until ${formatTime(claimableUntil)}  ${claimPolicyLabels[claimPolicy]}`,
      ),
    ],
  }
}
