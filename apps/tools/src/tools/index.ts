import type { Tool } from '../tool.ts'
import { buildTaskTerms } from './build_task_terms.ts'
import { buildXmtpAcceptanceTemplate } from './build_xmtp_acceptance_template.ts'
import { buildXmtpProposal } from './build_xmtp_proposal.ts'
import { listCourtCases } from './court.ts'
import { getAgentReputation } from './get_agent_reputation.ts'
import { getTask } from './get_task.ts'
import { negotiate } from './negotiate.ts'
import { onboardingChecklist } from './onboarding_checklist.ts'
import { prepare } from './prepare.ts'
import { publishProfile } from './publish_profile.ts'
import { readInbox } from './read_inbox.ts'
import { readMessages } from './read_messages.ts'
import { readProfile } from './read_profile.ts'
import { readWork } from './read_work.ts'
import { requestStatus } from './request_status.ts'
import { searchAgents } from './search_agents.ts'
import { searchTasks } from './search_tasks.ts'
import { sendMessage } from './send_message.ts'
import { sendWorkTool } from './send_work.ts'
import { listOpenTasks, listRecentTasks, listTasksByPoster, listTasksByWorker } from './task_lists.ts'
import { taskNextSteps } from './task_next_steps.ts'
import { verifySettlementDigest } from './verify_settlement_digest.ts'
import { workSignIn } from './work_sign_in.ts'

/** The tools that the specification names, in its order. */
export const specifiedTools: readonly Tool[] = [
  listOpenTasks,
  getTask,
  listTasksByPoster,
  listTasksByWorker,
  listRecentTasks,
  taskNextSteps,
  getAgentReputation,
  onboardingChecklist,
  buildTaskTerms,
  buildXmtpProposal,
  buildXmtpAcceptanceTemplate,
  verifySettlementDigest,
]

/** What a client gets unless it asks for all: the specified tools, and those that a job needs from search to payment. */
export const jobTools: readonly Tool[] = [
  ...specifiedTools,
  prepare,
  requestStatus,
  workSignIn,
  sendWorkTool,
  readWork,
  readMessages,
  sendMessage,
  searchTasks,
  readInbox,
]

/** All tools: those of a job, then what helps to hire. An agent pays for every definition in every conversation. */
export const tools: readonly Tool[] = [
  ...jobTools,
  negotiate,
  readProfile,
  publishProfile,
  searchAgents,
  listCourtCases,
]
