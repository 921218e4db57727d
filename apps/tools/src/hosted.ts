import type { Tool, ToolDeps } from './tool.ts'
import { specifiedTools } from './tools/index.ts'
import { prepare } from './tools/prepare.ts'
import { readProfile } from './tools/read_profile.ts'
import { searchAgents } from './tools/search_agents.ts'
import { searchTasks } from './tools/search_tasks.ts'

/** What a server for everyone offers: tools that read and prepare. Keys, files and messages need svc-tools on the user's own machine. */
export const hostedTools: readonly Tool[] = [...specifiedTools, prepare, searchTasks, searchAgents, readProfile]

/** The dependencies of a server for everyone. Any replica answers any call, so nothing is kept, and there is no gateway of a person. */
export const toHostedDeps = (deps: ToolDeps): ToolDeps => ({ ...deps, drafts: null, requestApproval: async () => null })
