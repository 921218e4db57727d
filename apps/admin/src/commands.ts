import { SvcError } from '@svc/protocol'
import { version } from '@svc/serve'
import { Command, CommanderError } from 'commander'
import { addBackupCommands } from './commands/backup.ts'
import { addCheckCommands } from './commands/check.ts'
import { addGovCommand } from './commands/gov.ts'
import { addOperateCommands } from './commands/operate.ts'
import { addPlanCommands } from './commands/plan.ts'
import type { AdminContext } from './commands/shared.ts'

/** Runs a command line and returns the exit code: 0, 1 if something is wrong, 2 if the command line is. */
export async function runAdmin(argv: readonly string[], context: AdminContext): Promise<number> {
  try {
    await createProgram(context).parseAsync(argv, { from: 'user' })
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    if (!(error instanceof SvcError)) throw error
    context.warn(error.message)
    return 1
  }
}

function createProgram(context: AdminContext): Command {
  const { print, warn } = context
  const program = new Command('svc-admin')
    .description('Puts the contracts on a chain, checks, verifies, governs and watches them.')
    .version(version)
    .exitOverride()
    .configureOutput({ writeOut: (text) => print(text.trimEnd()), writeErr: (text) => warn(text.trimEnd()) })
  addPlanCommands(program, context)
  addCheckCommands(program, context)
  addGovCommand(program, context)
  addOperateCommands(program, context)
  addBackupCommands(program, context)
  return program
}
