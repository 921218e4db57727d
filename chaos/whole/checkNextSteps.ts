import type { Deployments } from '@svc/chain'
import { formatSteps, type StepJson } from '@svc/operations'
import { formatTaskId } from '@svc/protocol'
import type { TaskContext } from '@svc/protocol/actions'
import { callTool } from '../../apps/tools/src/callTool.ts'
import { openMarkets } from '../../apps/tools/src/market.ts'
import { createToolDeps } from '../../apps/tools/src/toolDeps.ts'
import { taskNextSteps } from '../../apps/tools/src/tools/task_next_steps.ts'
import type { PlannedAction } from './chooseAction.ts'
import { expectSame } from './finalState.ts'
import type { HttpClient } from './httpClient.ts'
import type { PlannedChain } from './plannedChain.ts'
import type { Services } from './services.ts'
import type { Tally } from './tally.ts'

interface ToolAnswer {
  steps: StepJson[]
  meta: { block: { number: number; timestamp: number } }
}

/** Reads a wallet's next steps from the API and from the MCP tool, and compares both with the lifecycle tables. */
export function createNextStepsCheck(
  chain: PlannedChain,
  deployments: Deployments,
  { apiUrls, gatewayUrl, rpcUrls }: Pick<Services, 'apiUrls' | 'gatewayUrl' | 'rpcUrls'>,
  { http, tally }: { http: HttpClient; tally: Tally },
) {
  const deps = createToolDeps(openMarkets(rpcUrls, deployments), gatewayUrl)
  const onFault = (error: unknown) => tally.fail(`An MCP tool failed: ${(error as Error).stack}`)

  const callNextStepsTool = async (id: string, wallet: string): Promise<Pick<StepJson, 'action'>[]> => {
    for (let tries = 0; tries < 50; tries++) {
      const { structuredContent, isError } = await callTool(taskNextSteps, { id, address: wallet }, deps, onFault)
      tally.count('requests', 'mcp')
      const { steps, meta } = (structuredContent ?? {}) as ToolAnswer
      const { number, timestamp } = chain.head()
      if (!isError && meta.block.number === Number(number) && meta.block.timestamp === timestamp) return steps
    }
    throw new Error(`The MCP tool gave no answer about ${id} at the newest block.`)
  }

  return async ({ by }: PlannedAction, context: TaskContext): Promise<void> => {
    const { hash, timestamp } = chain.head()
    const id = formatTaskId(context.taskId)
    const expected = formatSteps(context, by.address, timestamp)
    const urls = apiUrls.map((url) => `${url}/api/actions/steps?id=${id}&address=${by.address}`)
    const { body } = await http.requestUntil(
      'api',
      urls,
      {},
      (got) => got.status === 200 && got.body.meta.block.hash === hash,
    )
    expectSame({ tally }, `the steps of ${id}`, body.steps, expected)
    const names = (steps: readonly Pick<StepJson, 'action'>[]) => steps.map(({ action }) => action)
    expectSame({ tally }, `the tool's steps of ${id}`, names(await callNextStepsTool(id, by.address)), names(expected))
  }
}

export type CheckNextSteps = ReturnType<typeof createNextStepsCheck>
