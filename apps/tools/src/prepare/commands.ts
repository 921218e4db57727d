import { actionList } from '@svc/protocol/actions'
import { createActionCommand } from './actionCommand.ts'
import { buildTaskTerms } from './build-task-terms.ts'
import type { Command } from './command.ts'
import { createCompletionCommand } from './completion.ts'
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
  ...actionList.map(createActionCommand),
  status,
  doctor,
  createCompletionCommand(() => prepareCommands),
]
