import { actionList } from '@svc/protocol/actions'
import { createActionCommand } from './actionCommand.ts'
import { buildTaskTerms } from './build-task-terms.ts'
import type { Command } from './command.ts'
import { createCompletionCommand } from './completion.ts'
import { courtBatch, courtCases, courtSteps } from './court.ts'
import { doctor } from './doctor.ts'
import { hashCriteria } from './hash-criteria.ts'
import { onboarding } from './onboarding.ts'
import { prepareReceipt } from './prepare-receipt.ts'
import { readCommand } from './read.ts'
import { searchCommand } from './search.ts'
import { status } from './status.ts'

/** All commands: reading, every action, and the commands for requests and setup. */
export const prepareCommands: readonly Command[] = [
  readCommand,
  searchCommand,
  onboarding,
  hashCriteria,
  buildTaskTerms,
  prepareReceipt,
  courtCases,
  courtBatch,
  ...courtSteps,
  ...actionList.map(createActionCommand),
  status,
  doctor,
  createCompletionCommand(() => prepareCommands),
]

/** The commands that the specification names, in its order. All others are our additions. */
export const specifiedCommands: readonly string[] = [
  'read',
  'onboarding',
  'approve-usdc-vault',
  'approve-tok-router',
  'top-up',
  'claim-task',
  'post-task',
  'create-task',
  'fund-task',
  'start-work',
  'submit-proof',
  'accept-milestone',
  'complete-task',
  'open-dispute',
  'leave-task',
  'dismiss-worker',
  'emergency-top-up',
  'register-arbitrator',
  'propose-arbitrator',
  'resolve-dispute',
  'resolve-timed-out',
  'escalate',
  'hash-criteria',
  'prepare-receipt',
  'build-task-terms',
]
