import { readConfig } from '@svc/serve'
import { Argument, Command as Commander, InvalidArgumentError, Option } from 'commander'
import { type Address, getAddress, isAddress } from 'viem'
import { readEnv } from '../env.ts'
import { exits } from '../exits.ts'
import { openMarkets } from '../market.ts'
import type { Answer, Command } from './command.ts'
import { commands } from './commands.ts'
import type { Io } from './io.ts'
import { type Line, textOf } from './line.ts'
import { optionsOf } from './optionsOf.ts'
import { asciiJson } from './plain.ts'
import { failureOf, PrepareError } from './prepareError.ts'
import { type Given, readFields } from './readFields.ts'

/** What stands under every help. */
const footer = [
  '',
  'Amounts carry their symbol (--amount 12.5TOK); the longer name takes the smallest unit (--amount-tok-wei, --amount-usdc-units).',
  'Files may be - for the standard input. Nothing is signed or sent here, and no private key is ever read.',
  '',
  'Environment: CHAIN_RPC_URL (or SVC_RPC_URL), SVC_DEPLOYMENTS, SVC_GATEWAY_URL, SVC_API_URL; NO_COLOR.',
  `Exit codes: ${Object.values(exits)
    .map(({ code, words }) => `${code} ${words}`)
    .join('; ')}.`,
].join('\n')

/** The command line `svc-prepare`: takes the arguments and returns the exit code. It never throws. */
export async function runPrepare(argv: readonly string[], io: Io): Promise<number> {
  // Known before anything else is: a mistake in the arguments is told as JSON too.
  const json = argv.includes('--json')
  let exit: number = exits.done.code
  const program = new Commander('svc-prepare')
    .description(
      'Prepare a transaction of the task market for your own wallet: see what you sign, what it costs and what it does.',
    )
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.output.write(text), writeErr: () => {} })
    .addHelpText('after', footer)
  for (const command of commands) {
    attach(program, command, async (operands, given) => {
      exit = print(await call(command, operands, given, { json, io }), json, io)
    })
  }
  try {
    if (argv.length === 0)
      throw new PrepareError('usage', 'Say what to prepare.', { hint: 'svc-prepare --help lists it.' })
    await program.parseAsync(argv, { from: 'user' })
    return exit
  } catch (error) {
    // Help was asked for, and printed.
    if ((error as { exitCode?: number }).exitCode === 0) return exits.done.code
    return fail(error, json, io)
  }
}

function attach(program: Commander, command: Command, run: (operands: string[], given: Given) => Promise<void>): void {
  const to = program.command(command.name).description(command.summary).addHelpText('after', footer)
  for (const { name, words, choices } of command.operands ?? []) {
    const argument = new Argument(`<${name}>`, words)
    to.addArgument(choices ? argument.choices(choices) : argument)
  }
  const given: Record<string, string> = {}
  for (const [flags, words] of optionsOf(command)) {
    const option = new Option(flags, words)
    const name = option.long?.slice(2) ?? ''
    to.addOption(
      option.argParser((value: string) => {
        if (name in given) throw new InvalidArgumentError('It is given twice.')
        given[name] = value
        return value
      }),
    )
    to.on(`option:${option.name()}`, () => {
      if (!option.required) given[name] = ''
    })
  }
  to.action(() => run(to.processedArgs, given))
}

async function call(
  command: Command,
  operands: string[],
  given: Given,
  { json, io }: { json: boolean; io: Io },
): Promise<Answer> {
  const from = walletOf(command, given.from)
  const input = await readFields(command.fields, given, io.input)
  return command.run({
    input,
    operands,
    from,
    dryRun: 'dry-run' in given,
    wait: !('no-wait' in given),
    timeoutMs: timeoutOf(given.timeout),
    io,
    async open() {
      const { env, deployments } = await readConfig(readEnv, io.environment)
      return { env, markets: openMarkets(env.CHAIN_RPC_URL, deployments) }
    },
    show: (lines) => json || io.output.write(textOf(lines, colorful(io, io.output))),
    progress: (line) => io.errors.write(textOf([line], false)),
  })
}

function walletOf({ from }: Command, text: string | undefined): Address | null {
  if (text === undefined) {
    if (from !== 'required') return null
    throw new PrepareError('usage', 'Missing: --from.', { hint: '--from: the address of the wallet that signs' })
  }
  // Mixed case is a checksum: a wrong one is a typing error.
  if (isAddress(text, { strict: text !== text.toLowerCase() })) return getAddress(text)
  throw new PrepareError(
    'usage',
    `--from ${JSON.stringify(text.slice(0, 60))} is not an address, or its checksum is wrong.`,
    {
      hint: 'Write 0x and 40 hex digits; copy it again, or write it in lower case.',
    },
  )
}

function timeoutOf(text = '1200'): number {
  const seconds = Number(text)
  if (/^\d{1,5}$/.test(text) && seconds >= 1 && seconds <= 86_400) return seconds * 1000
  throw new PrepareError('usage', '--timeout is not a whole number of seconds from 1 to 86400.')
}

const colorful = ({ environment }: Io, { isTTY }: Io['output']) =>
  isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb'

function print({ json, lines, exit = exits.done.code }: Answer, asJson: boolean, io: Io): number {
  io.output.write(asJson ? `${asciiJson(json)}\n` : textOf(lines, colorful(io, io.output)))
  return exit
}

const checkLine = (check: unknown) => {
  const { name, ok, have, need } = check as Record<string, unknown>
  return `  ${ok ? 'ok  ' : 'fail'}  ${name}: ${have}, needed: ${need}`
}

function fail(error: unknown, asJson: boolean, io: Io): number {
  const { exit, json } = failureOf(error)
  if (asJson) io.output.write(`${asciiJson(json)}\n`)
  else {
    const lines: Line[] = [json.error, ...(json.checks ?? []).map(checkLine), ...(json.hint ? [json.hint] : [])]
    io.errors.write(textOf(lines, false))
  }
  return exit
}
