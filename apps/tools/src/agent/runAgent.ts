import { SvcError } from '@svc/protocol'
import { Command as Commander } from 'commander'
import { exitCodes } from '../exitCodes.ts'
import type { ProgramIo } from '../negotiate/context.ts'
import { describeExit } from '../negotiate/describeExit.ts'
import { toSingleLine } from '../negotiate/plainText.ts'
import { grant, openDesk, revoke, serve, showStatus } from './agentCommands.ts'

const footer = `
grant and revoke sign with PRIVATE_KEY, the key of the agent's own account: keep it away from the machine of the agent. signer reads the
session key of the folder, and no other.
Environment: SVC_API_URL or --api; CHAIN_RPC_URL; SVC_GATEWAY_URL; PRIVATE_KEY.
Exit codes: 0 done, 2 invalid usage, 3 the chain or the API is unreachable, 4 refused.`

/** The command line `svc-agent`: takes the arguments and returns the exit code. It never throws. */
export async function runAgent(argv: readonly string[], io: ProgramIo): Promise<number> {
  const program = new Commander('svc-agent')
    .description('Let an agent earn and hire within limits that you read before you sign.')
    .addHelpText('after', footer)
    .configureOutput({ writeOut: (text) => io.output.write(text), writeErr: (text) => io.errors.write(text) })
    .exitOverride()
  const add = (name: string, summary: string) =>
    program
      .command(name)
      .description(summary)
      .option('--folder <folder>', 'where the grant and the keys of the agent are', './agent')
      .option(
        '--api <url>',
        'the API of the market; its contracts are verified on chain and pinned (default: SVC_API_URL)',
      )
      .option('--framework <file>', 'the delegation framework, on a chain whose addresses are not known')
  let exit: number = exitCodes.done.code
  const run = (work: () => Promise<void>) => async () => {
    try {
      await work()
    } catch (error) {
      const known = describeExit(error)
      const isOwn = known.code === 1 && error instanceof SvcError
      const message = isOwn ? [error.message, error.hint].filter(Boolean).join(' ') : known.message
      io.errors.write(`${toSingleLine(message)}\n`)
      exit = isOwn ? exitCodes.refused.code : known.code
    }
  }
  const granting = add('grant', 'print the worst case, and sign it if you say yes')
    .option('--market <market>', 'standard or micro', 'standard')
    .option('--claims <count>', 'how many tasks it may claim', '0')
    .option('--hires <count>', 'how many tasks it may post', '0')
    .option('--budget <amount>', 'TOK for all tasks that it posts, such as 9,000TOK', '0 TOK')
    .option('--deposit <amount>', 'the deposit that the account shall have', '51 USDC')
    .option('--until <time>', 'when it ends, such as 2026-11-20T23:59Z', '')
    .option('--gas <ether>', 'ether for the gas of the session key', '0.01')
    .option('--yes', 'do not ask')
  granting.action(run(async () => grant(await openDesk(granting.opts(), io), granting.opts())))
  const status = add('status', 'show what is left of the grant')
  status.action(run(async () => showStatus(await openDesk(status.opts(), io))))
  const revoking = add('revoke', 'end the delegation and the allowance; running tasks stay yours to finish')
  revoking.action(run(async () => revoke(await openDesk(revoking.opts(), io))))
  const signing = add('signer', 'run the signer on a socket of the folder')
  signing.action(run(async () => serve(await openDesk(signing.opts(), io))))
  try {
    await program.parseAsync(argv, { from: 'user' })
    return exit
  } catch (error) {
    // Commander has already printed the message.
    return describeExit(error).code
  }
}
