import type { Deployments } from '@svc/chain'
import { formatTaskId } from '@svc/protocol'
import type { Standing } from '@svc/protocol/actions'
import { type StepJson, stepsJsonOf } from '@svc/protocol/http'
import { callTool } from '../../apps/tools/src/callTool.ts'
import { openMarkets } from '../../apps/tools/src/market.ts'
import { createToolDeps } from '../../apps/tools/src/toolDeps.ts'
import { taskNextSteps } from '../../apps/tools/src/tools/task_next_steps.ts'
import type { Call } from './call.ts'
import type { Deed } from './choose.ts'
import type { Crew } from './crew.ts'
import type { PlannedChain } from './plannedChain.ts'
import type { Tally } from './tally.ts'
import { demandSame } from './verdict.ts'

/** Asks the API and the MCP tool what a wallet may do now, and holds both against the tables. */
export function createAskAround(
  chain: PlannedChain,
  deployments: Deployments,
  { apiUrls, gatewayUrl, rpcUrls }: Pick<Crew, 'apiUrls' | 'gatewayUrl' | 'rpcUrls'>,
  { call, tally }: { call: Call; tally: Tally },
) {
  const deps = createToolDeps(openMarkets(rpcUrls, deployments), gatewayUrl)
  const onFault = (error: unknown) => tally.fault(`An MCP tool failed: ${(error as Error).stack}`)

  const askTool = async (id: string, wallet: string): Promise<Pick<StepJson, 'action'>[]> => {
    for (let tries = 0; tries < 50; tries++) {
      const { structuredContent, isError } = await callTool(taskNextSteps, { id, wallet }, deps, onFault)
      tally.count('requests', 'mcp')
      const { steps, meta } = (structuredContent ?? {}) as { steps: StepJson[]; meta: { block: { hash: string } } }
      if (!isError && meta.block.hash === chain.head().hash) return steps
    }
    throw new Error(`The MCP tool does not answer about ${id}.`)
  }

  return async ({ by }: Deed, standing: Standing): Promise<void> => {
    const { hash, timestamp } = chain.head()
    const id = formatTaskId(standing.taskId)
    const truth = stepsJsonOf(standing, by.address, timestamp)
    const urls = apiUrls.map((url) => `${url}/api/actions/steps?id=${id}&address=${by.address}`)
    const { body } = await call.until('api', urls, {}, (got) => got.status === 200 && got.body.meta.block.hash === hash)
    demandSame({ tally }, `the steps of ${id}`, body.steps, truth)
    const names = (steps: readonly Pick<StepJson, 'action'>[]) => steps.map(({ action }) => action)
    demandSame({ tally }, `the tool's steps of ${id}`, names(await askTool(id, by.address)), names(truth))
  }
}

export type AskAround = ReturnType<typeof createAskAround>
