import { Command as Commander } from 'commander'
import { exitCodes } from '../exitCodes.ts'
import type { Command } from './command.ts'
import { createContext, type Options, type ProgramIo } from './context.ts'
import { describeExit } from './describeExit.ts'
import { toSingleLine } from './plainText.ts'

const commonOptions = [
  ['--json', 'print JSON'],
  ['--domain <domain>', "the market's domain: its sign-ins count for messages of devices (default: that of the API)"],
  ['--dir <folder>', 'the folder of the transcripts (default: negotiations)'],
  ['--api <url>', 'the API of the market; its contracts are verified on chain and pinned (default: SVC_API_URL)'],
  ['--repin', 'accept new contracts of the API'],
  ['--deployments <file>', 'the file with the contract addresses, instead of an API (default: SVC_DEPLOYMENTS)'],
] as const
const transportOptions = [
  ['--transport <name>', 'file, stdio, xmtp, or store: your mailbox at a store (default: file)'],
  ['--mailbox <folder>', 'the mailbox folder of the file transport (default: mailbox)'],
  ['--store <url>', "the store (default: SVC_STORE_URL, or the API's own)"],
  ['--store-address <address>', "the wallet of the store (default: the API's own)"],
] as const

const footer = `
Environment: PRIVATE_KEY for commands that sign; SVC_API_URL or SVC_DEPLOYMENTS; CHAIN_RPC_URL or SVC_RPC_URL to verify
signatures of contract wallets; XMTP_DB_PATH and XMTP_ENV (local, dev, production) for --transport xmtp.
Exit codes: 0 done, 2 invalid usage, 3 transport or chain unreachable, 4 rejected by a rule or by the state, 5 timed out.`

/** A command line program: takes the arguments and returns the exit code. Never throws. */
export type Program = (argv: readonly string[], outside: ProgramIo) => Promise<number>

/** Creates a program with several commands. */
export function createProgram(name: string, summary: string, commands: readonly Command[]): Program {
  return buildProgram(name, summary, (program, attach) => {
    for (const command of commands) {
      attach(program.command(`${command.name} ${command.args ?? ''}`).description(describeCommand(command)), command)
    }
  })
}

/** Creates a program with a single command, which is called without its name. */
export function createSingleCommandProgram(name: string, command: Command): Program {
  return buildProgram(name, describeCommand(command), (program, attach) => {
    attach(program.arguments(command.args ?? ''), command)
  })
}

const describeCommand = ({ summary, signs }: Command) => (signs ? `${summary} Signs.` : summary)

function buildProgram(
  name: string,
  summary: string,
  build: (program: Commander, attach: (to: Commander, command: Command) => void) => void,
): Program {
  return async (argv, outside) => {
    let exit: number = exitCodes.done.code
    const program = new Commander(name)
      .description(summary)
      .addHelpText('after', footer)
      .configureOutput({
        writeOut: (text) => outside.output.write(text),
        writeErr: (text) => outside.errors.write(text),
      })
      .exitOverride()
    build(program, (to, command) => {
      const options = [...(command.options ?? []), ...(command.carries ? transportOptions : []), ...commonOptions]
      for (const [flags, description] of options) to.option(flags, description)
      to.action(async () => {
        exit = await runCommand(command, to.processedArgs, to.opts(), outside)
      })
    })
    try {
      await program.parseAsync(argv, { from: 'user' })
      return exit
    } catch (error) {
      // Commander has already printed the message.
      return describeExit(error).code
    }
  }
}

async function runCommand(
  command: Command,
  args: string[],
  { json, ...options }: Options & { json?: unknown },
  outside: ProgramIo,
): Promise<number> {
  // With the stdio transport, the standard output carries the messages.
  const answers = options.transport === 'stdio' ? outside.errors : outside.output
  try {
    const {
      json: value,
      text,
      exit = exitCodes.done.code,
    } = await command.run(createContext(outside, options), ...args)
    answers.write(`${json ? JSON.stringify(value) : text}\n`)
    return exit
  } catch (error) {
    const { code, message: raw } = describeExit(error)
    const message = toSingleLine(raw)
    if (json) answers.write(`${JSON.stringify({ error: message, exit: code })}\n`)
    else outside.errors.write(`${message}\n`)
    return code
  }
}
