import { readAtHead, readTaskSnapshots, readTexts, summarizeText } from '@svc/chain'
import { buildResponseMeta, formatTaskRow, listMetaJson, type TaskRowJson, taskRowJson } from '@svc/operations'
import { decodeTaskText, formatAmount, formatTime } from '@svc/protocol'
import { claimPolicyLabels } from '@svc/protocol/internal/tasks'
import * as z from 'zod/mini'
import { searchInput } from '../searchInput.ts'
import { createTaskFinder } from '../taskFinder.ts'
import { ToolError } from '../tool.ts'
import { cleanUntrustedLine } from '../untrusted.ts'
import type { Answer, Call, Command } from './command.ts'
import { listFields } from './field.ts'
import type { Line } from './lines.ts'
import { PrepareError } from './prepareError.ts'

/** Searches the tasks that wait for a worker. The API selects them; what is shown about them is read from the chain. */
export const searchCommand: Command = {
  name: 'search',
  summary: 'Search the tasks that wait for a worker. The API selects them; everything shown is read from the chain.',
  fields: listFields(
    searchInput,
    { market: 'standard', status: 'claimable', sort: 'relevance with words, otherwise newest', limit: '20' },
    Object.fromEntries(Object.entries(searchInput.shape).map(([name, { description }]) => [name, description])),
  ),
  answer: z.object({ tasks: z.array(taskRowJson), meta: listMetaJson }),
  run: search,
}

async function search({ input: given, open }: Call): Promise<Answer> {
  const input = searchInput.parse(given)
  const { env, markets } = await open()
  const { market } = input
  const { numbers, nextCursor } = await createTaskFinder(env.SVC_API_URL)(input).catch(explainFailure)
  const contracts = markets.places.markets[market]
  const { tasks, texts, block } = await readAtHead(markets.providers, async (provider, at) => {
    const tasks = await readTaskSnapshots(provider, market, contracts, numbers, at)
    return { tasks, texts: await readTexts(provider, contracts, tasks) }
  })
  const rows = tasks.map((task) => {
    const text = texts.get(task.number)
    const summary = text === undefined ? undefined : summarizeText(decodeTaskText(text))
    return formatTaskRow(task, summary, market, contracts.taskRegistry, block.timestamp)
  })
  return {
    json: { tasks: rows, meta: { ...buildResponseMeta(market, block), nextCursor } },
    lines: [
      { heading: `${rows.length} tasks found in the ${market} market` },
      ...rows.flatMap(renderRow),
      ...(nextCursor ? ['', `More: the same search with --cursor ${nextCursor}`] : []),
    ],
  }
}

/** Every line of a stranger's text is marked, so that none looks like our own output. */
const renderRow = ({
  id,
  totalAmountTokWei,
  netPayTokWei,
  claimableUntil,
  claimPolicy,
  title,
  tags,
}: TaskRowJson): Line[] => [
  `  ${id}  ${formatAmount(BigInt(totalAmountTokWei), 'tok')}, ${formatAmount(BigInt(netPayTokWei), 'tok')} after the fee  ${claimableUntil === null ? 'cannot be claimed now' : `until ${formatTime(claimableUntil)}`}  ${claimPolicyLabels[claimPolicy]}`,
  `    > ${cleanUntrustedLine(title)}${tags.map((tag) => ` #${tag}`).join('')}`,
]

function explainFailure(error: unknown): never {
  if (!(error instanceof ToolError)) throw error
  throw new PrepareError('unreachable', error.message, {
    code: error.code,
    hint: 'Check --cursor, --sort and SVC_API_URL, or run svc-prepare read, which needs no API.',
  })
}
