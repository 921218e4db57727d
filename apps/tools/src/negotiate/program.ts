import { Command as Commander } from 'commander'
import { exits } from '../exits.ts'
import type { Command } from './command.ts'
import { createContext, type Options, type Outside } from './context.ts'
import { exitOf } from './exitOf.ts'
import { inLine } from './plainWords.ts'

const everywhere = [
  ['--json', 'answer as JSON'],
  ['--dir <folder>', 'where the transcripts are (default: negotiations)'],
  ['--deployments <file>', 'where the contracts are (default: SVC_DEPLOYMENTS)'],
] as const
const carrying = [
  ['--transport <name>', 'file, stdio or xmtp (default: file)'],
  ['--mailbox <folder>', 'the folder of mailboxes of the file transport (default: mailbox)'],
] as const

const footer = `
Environment: PRIVATE_KEY for commands that sign, and only from there; SVC_DEPLOYMENTS; CHAIN_RPC_URL or SVC_RPC_URL to check
signatures of contract wallets; XMTP_DB_PATH and XMTP_ENV (local, dev, production) for --transport xmtp.
Exit codes: 0 done, 2 not understood, 3 transport or chain unreachable, 4 refused by a rule or by the state, 5 nothing arrived in time.`

/** A command line: takes the arguments, and returns the exit code. It never throws. */
export type Program = (argv: readonly string[], outside: Outside) => Promise<number>

/** Makes a program of several commands. */
export function createProgram(name: string, summary: string, commands: readonly Command[]): Program {
  return programOf(name, summary, (program, attach) => {
    for (const command of commands) {
      attach(program.command(`${command.name} ${command.args ?? ''}`).description(describe(command)), command)
    }
  })
}

/** Makes a program of one command, which goes without its name. */
export function createSingle(name: string, command: Command): Program {
  return programOf(name, describe(command), (program, attach) => {
    attach(program.arguments(command.args ?? ''), command)
  })
}

const describe = ({ summary, signs }: Command) => (signs ? `${summary} Signs.` : summary)

function programOf(
  name: string,
  summary: string,
  build: (program: Commander, attach: (to: Commander, command: Command) => void) => void,
): Program {
  return async (argv, outside) => {
    let exit: number = exits.done.code
    const program = new Commander(name)
      .description(summary)
      .addHelpText('after', footer)
      .configureOutput({
        writeOut: (text) => outside.output.write(text),
        writeErr: (text) => outside.errors.write(text),
      })
      .exitOverride()
    build(program, (to, command) => {
      const options = [...(command.options ?? []), ...(command.carries ? carrying : []), ...everywhere]
      for (const [flags, words] of options) to.option(flags, words)
      to.action(async () => {
        exit = await run(command, to.processedArgs, to.opts(), outside)
      })
    })
    try {
      await program.parseAsync(argv, { from: 'user' })
      return exit
    } catch (error) {
      // Commander has said what is wrong.
      return exitOf(error).code
    }
  }
}

async function run(
  command: Command,
  args: string[],
  { json, ...options }: Options & { json?: unknown },
  outside: Outside,
): Promise<number> {
  // The messages themselves have the output there.
  const answers = options.transport === 'stdio' ? outside.errors : outside.output
  try {
    const { json: value, text, exit = exits.done.code } = await command.run(createContext(outside, options), ...args)
    answers.write(`${json ? JSON.stringify(value) : text}\n`)
    return exit
  } catch (error) {
    const { code, message: said } = exitOf(error)
    const message = inLine(said)
    if (json) answers.write(`${JSON.stringify({ error: message, exit: code })}\n`)
    else outside.errors.write(`${message}\n`)
    return code
  }
}
