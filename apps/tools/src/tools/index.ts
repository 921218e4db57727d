import type { Tool } from '../tool.ts'
import { buildTaskTerms } from './build_task_terms.ts'
import { buildXmtpAcceptanceTemplate } from './build_xmtp_acceptance_template.ts'
import { buildXmtpProposal } from './build_xmtp_proposal.ts'
import { getAgentReputation } from './get_agent_reputation.ts'
import { getTask } from './get_task.ts'
import { listOpenTasks } from './list_open_tasks.ts'
import { listRecentTasks } from './list_recent_tasks.ts'
import { listTasksByPoster } from './list_tasks_by_poster.ts'
import { listTasksByWorker } from './list_tasks_by_worker.ts'
import { negotiate } from './negotiate.ts'
import { onboardingChecklist } from './onboarding_checklist.ts'
import { prepare } from './prepare.ts'
import { readInbox } from './read_inbox.ts'
import { readMessages } from './read_messages.ts'
import { readProfile } from './read_profile.ts'
import { readWork } from './read_work.ts'
import { requestStatus } from './request_status.ts'
import { searchAgents } from './search_agents.ts'
import { searchTasks } from './search_tasks.ts'
import { sendMessage } from './send_message.ts'
import { sendWorkTool } from './send_work.ts'
import { taskNextSteps } from './task_next_steps.ts'
import { verifySettlementDigest } from './verify_settlement_digest.ts'
import { workSignIn } from './work_sign_in.ts'

/** All tools in the order of the specification, followed by our additions. */
export const tools: readonly Tool[] = [
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
  prepare,
  requestStatus,
  workSignIn,
  sendWorkTool,
  readWork,
  readMessages,
  sendMessage,
  negotiate,
  readProfile,
  searchAgents,
  searchTasks,
  readInbox,
]
