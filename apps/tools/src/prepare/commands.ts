import { actions } from '@svc/protocol/actions'
import { actionCommand } from './actionCommand.ts'
import { buildTaskTerms } from './build-task-terms.ts'
import type { Command } from './command.ts'
import { completionCommand } from './completion.ts'
import { doctor } from './doctor.ts'
import { hashCriteria } from './hash-criteria.ts'
import { onboarding } from './onboarding.ts'
import { prepareReceipt } from './prepare-receipt.ts'
import { read } from './read.ts'
import { status } from './status.ts'

/** Every command: what reads, every row of the action table, and what looks after requests and the set-up. */
export const commands: readonly Command[] = [
  read,
  onboarding,
  hashCriteria,
  buildTaskTerms,
  prepareReceipt,
  ...actions.map(actionCommand),
  status,
  doctor,
  completionCommand(() => commands),
]
