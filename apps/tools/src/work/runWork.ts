import { ApiError } from '@svc/client'
import { InvalidTaskIdError, parseTaskId, SvcError } from '@svc/protocol'
import { Command as Commander } from 'commander'
import { exitCodes } from '../exitCodes.ts'
import type { Options } from '../negotiate/context.ts'
import { describeExit } from '../negotiate/describeExit.ts'
import { toSingleLine } from '../negotiate/plainText.ts'
import { workCommands } from './commands.ts'
import { openWallet, type WorkIo } from './context.ts'
import { openPlace } from './place.ts'

const commonOptions = [
  ['--store <url>', "the store (default: SVC_STORE_URL, or the API's own)"],
  ['--store-address <address>', "the wallet of the store, for tasks whose terms name none (default: the API's own)"],
  ['--domain <domain>', "the market's domain, which the sign-in names (default: that of the API)"],
  ['--keys <folder>', 'the folder of the reading keys (default: in your state folder)'],
  ['--api <url>', 'the API of the market; its contracts are verified on chain and pinned (default: SVC_API_URL)'],
  ['--repin', 'accept new contracts of the API'],
  ['--json', 'print JSON'],
] as const

const footer = `
Signs one sign-in with PRIVATE_KEY, when there is none that is still valid; it moves no money. Work is encrypted before it leaves
this machine. The hash goes on chain by svc-prepare, which prints what it costs.
Environment: PRIVATE_KEY; SVC_STORE_URL; SVC_API_URL or SVC_DEPLOYMENTS; CHAIN_RPC_URL or SVC_RPC_URL.
Exit codes: 0 done, 2 invalid usage, 3 the store or the chain is unreachable, 4 rejected by a check, a rule or the store.`

/** The command line `svc-work`: takes the arguments and returns the exit code. It never throws. */
export async function runWork(argv: readonly string[], io: WorkIo): Promise<number> {
  let exit: number = exitCodes.done.code
  const program = new Commander('svc-work')
    .description(
      'Send and read the work of a task, encrypted: deliveries, requests for changes, evidence and rulings; and talk with the other side.',
    )
    .addHelpText('after', footer)
    .configureOutput({ writeOut: (text) => io.output.write(text), writeErr: (text) => io.errors.write(text) })
    .exitOverride()
  for (const command of workCommands) {
    const args = command.about === 'task' ? `<task> ${command.args}` : command.args
    const to = program.command(`${command.name} ${args}`).description(command.summary)
    for (const [flags, description] of [...(command.options ?? []), ...commonOptions]) to.option(flags, description)
    to.action(async () => {
      const given: (string | string[] | undefined)[] = to.processedArgs
      const options = nameByFlag(to.opts())
      exit = await print(options.json !== undefined, command.service ?? 'store', io, async () => {
        const wallet = await openWallet(options, io)
        if (command.about === 'wallet') return command.run(wallet, options, given, io)
        const [task, ...rest] = given
        return command.run(await openPlace(wallet, parseTaskId(String(task))), options, rest, io)
      })
    })
  }
  try {
    await program.parseAsync(argv, { from: 'user' })
    return exit
  } catch (error) {
    // Commander has already printed the message.
    return describeExit(error).code
  }
}

async function print(
  asJson: boolean,
  service: string,
  { output, errors }: WorkIo,
  run: () => Promise<{ json: unknown; text: string }>,
): Promise<number> {
  try {
    const { json, text } = await run()
    output.write(`${asJson ? JSON.stringify(json) : text}\n`)
    return exitCodes.done.code
  } catch (error) {
    const { code, message } = describeWorkError(error, service)
    if (asJson) output.write(`${JSON.stringify({ error: toSingleLine(message), exit: code })}\n`)
    else errors.write(`${toSingleLine(message)}\n`)
    return code
  }
}

function describeWorkError(error: unknown, service: string): { code: number; message: string } {
  const known = describeExit(error)
  if (known.code !== 1) return known
  if (error instanceof InvalidTaskIdError) return { code: exitCodes.usage.code, message: error.message }
  if (error instanceof ApiError) {
    return {
      code: exitCodes[error.status >= 500 ? 'unreachable' : 'refused'].code,
      message: `The ${service}: ${error.message}`,
    }
  }
  // fetch reports a lost connection as a TypeError.
  if (error instanceof TypeError)
    return { code: exitCodes.unreachable.code, message: `The ${service} is unreachable: ${error.message}` }
  if (error instanceof SvcError) {
    return { code: exitCodes.refused.code, message: [error.message, error.hint].filter(Boolean).join(' ') }
  }
  return known
}

/** Commander names options in camel case. */
const nameByFlag = (given: Record<string, unknown>): Options =>
  Object.fromEntries(
    Object.entries(given).map(([name, value]) => [
      name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`),
      String(value),
    ]),
  )
