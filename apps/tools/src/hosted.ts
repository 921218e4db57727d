import { createSemaphore } from '@svc/serve'
import { stringify } from 'viem'
import { type Tool, type ToolDeps, ToolError } from './tool.ts'
import { specifiedTools } from './tools/index.ts'
import { prepare } from './tools/prepare.ts'
import { readProfile } from './tools/read_profile.ts'
import { searchAgents } from './tools/search_agents.ts'
import { searchTasks } from './tools/search_tasks.ts'

/** About a block: an answer that others just got is as new as one that is read again. */
const sharedMs = 2_000
const maxShared = 500

/**
 * What a server for everyone offers: tools that read and prepare. Keys, files and messages need svc-tools on the user's own machine.
 * Equal reads are one read, and few calls use the chain at a time, so that strangers cannot spend the providers' budget.
 */
export function createHostedTools(): readonly Tool[] {
  const offered: readonly Tool[] = [...specifiedTools, prepare, searchTasks, searchAgents, readProfile]
  const line = createSemaphore(
    16,
    200,
    () => new ToolError('BUSY', 'Too many calls read the chain now.', 'Try again in a few seconds.', true),
  )
  const shared = new Map<string, { until: number; answer: ReturnType<Tool['run']> }>()
  return offered.map((tool) => {
    const run: Tool['run'] = (input, deps) => line(async () => tool.run(input, deps))
    if (tool.annotations && !tool.annotations.readOnlyHint) return { ...tool, run }
    return {
      ...tool,
      run(input, deps) {
        const key = `${tool.name} ${stringify(input)}`
        const found = shared.get(key)
        if (found && found.until > Date.now()) return found.answer
        const answer = run(input, deps)
        answer.catch(() => shared.delete(key))
        shared.delete(key)
        const [oldest] = shared.keys()
        if (shared.size >= maxShared && oldest !== undefined) shared.delete(oldest)
        shared.set(key, { until: Date.now() + sharedMs, answer })
        return answer
      },
    }
  })
}

/** The dependencies of a server for everyone. Any replica answers any call, so nothing is kept, and there is no gateway of a person. */
export const toHostedDeps = (deps: ToolDeps): ToolDeps => ({ ...deps, drafts: null, requestApproval: async () => null })
