import { type PayFrom, payFroms } from '@svc/chain'
import { Argument, Command as Commander, InvalidArgumentError, Option } from 'commander'
import { type Address, getAddress, isAddress } from 'viem'
import { exitCodes } from '../exitCodes.ts'
import { loadMarkets } from '../loadMarkets.ts'
import type { Answer, Command } from './command.ts'
import { prepareCommands, specifiedCommands } from './commands.ts'
import type { Io } from './io.ts'
import { type Line, renderLines } from './lines.ts'
import { listOptions } from './listOptions.ts'
import { toAsciiJson } from './plain.ts'
import { describeFailure, PrepareError } from './prepareError.ts'
import { type Given, readFields } from './readFields.ts'

/** The footer of every help page. */
const footer = [
  '',
  'Write amounts with their symbol (--amount 12.5TOK), or in the smallest unit (--amount-tok-wei, --amount-usdc-units).',
  'Use - as a file to read the standard input. Nothing is signed or sent, and no private key is ever read.',
  '',
  'Environment: SVC_API_URL or SVC_DEPLOYMENTS, CHAIN_RPC_URL (or SVC_RPC_URL), SVC_GATEWAY_URL; NO_COLOR.',
  `Exit codes: ${Object.values(exitCodes)
    .map(({ code, description }) => `${code} ${description}`)
    .join('; ')}.`,
].join('\n')

/** The command line `svc-prepare`: takes the arguments and returns the exit code. It never throws. */
export async function runPrepare(argv: readonly string[], io: Io): Promise<number> {
  // Checked first, so that invalid arguments are reported as JSON too.
  const json = argv.includes('--json')
  let exit: number = exitCodes.done.code
  const program = new Commander('svc-prepare')
    .description(
      'Prepare transactions of the task market for your wallet: see what you sign, what it costs and what it does.',
    )
    .exitOverride()
    .configureOutput({ writeOut: (text) => io.output.write(text), writeErr: () => {} })
    .addHelpText('after', footer)
    .commandsGroup('Commands that we added:')
  for (const command of prepareCommands) {
    attach(program, command, async (operands, given) => {
      exit = print(await call(command, operands, given, { json, io }), json, io)
    })
  }
  try {
    if (argv.length === 0)
      throw new PrepareError('usage', 'The command is missing.', { hint: 'See svc-prepare --help for all commands.' })
    await program.parseAsync(argv, { from: 'user' })
    return exit
  } catch (error) {
    // The help was printed.
    if ((error as { exitCode?: number }).exitCode === 0) return exitCodes.done.code
    return fail(error, json, io)
  }
}

function attach(program: Commander, command: Command, run: (operands: string[], given: Given) => Promise<void>): void {
  const to = program.command(command.name).description(command.summary)
  if (specifiedCommands.includes(command.name)) to.helpGroup('Commands of the specification:')
  if (command.notes?.length)
    to.addHelpText('after', `\nPrices:\n${command.notes.map((line) => `  ${line}\n`).join('')}`)
  to.addHelpText('after', footer)
  for (const { name, description, choices } of command.operands ?? []) {
    const argument = new Argument(`<${name}>`, description)
    to.addArgument(choices ? argument.choices(choices) : argument)
  }
  const given: Record<string, string> = {}
  for (const [flags, description] of listOptions(command)) {
    const option = new Option(flags, description)
    const name = option.long?.slice(2) ?? ''
    to.addOption(
      option.argParser((value: string) => {
        if (name in given) throw new InvalidArgumentError('It is set twice.')
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
  const from = parseWallet(command, given.from)
  const input = await readFields(command.fields, given, io.input)
  const progress = (line: string) => io.errors.write(renderLines([line], false))
  return command.run({
    input,
    operands,
    from,
    dryRun: 'dry-run' in given,
    payFrom: parsePayFrom(given['pay-from']),
    wait: !('no-wait' in given),
    timeoutMs: parseTimeout(given.timeout),
    io,
    open: () => loadMarkets(io.environment, progress, { api: given.api, repin: 'repin' in given }),
    show: (lines) => json || io.output.write(renderLines(lines, isColorEnabled(io, io.output))),
    progress,
  })
}

function parseWallet({ from }: Command, text: string | undefined): Address | null {
  if (text === undefined) {
    if (from !== 'required') return null
    throw new PrepareError('usage', 'Missing: --from.', { hint: '--from: the address of the wallet that signs' })
  }
  // Mixed case is a checksum, and a wrong one is a typing error.
  if (isAddress(text, { strict: text !== text.toLowerCase() })) return getAddress(text)
  throw new PrepareError(
    'usage',
    `--from ${JSON.stringify(text.slice(0, 60))} is not a valid address, or the checksum is wrong.`,
    {
      hint: 'Expected 0x and 40 hex digits. Copy it again, or write it in lower case.',
    },
  )
}

function parsePayFrom(text: string | undefined): PayFrom | undefined {
  if (text === undefined) return undefined
  const found = payFroms.find((each) => each === text)
  if (found) return found
  throw new PrepareError('usage', `--pay-from must be ${payFroms.join(' or ')}.`)
}

function parseTimeout(text = '1200'): number {
  const seconds = Number(text)
  if (/^\d{1,5}$/.test(text) && seconds >= 1 && seconds <= 86_400) return seconds * 1000
  throw new PrepareError('usage', '--timeout must be a whole number of seconds from 1 to 86400.')
}

const isColorEnabled = ({ environment }: Io, { isTTY }: Io['output']) =>
  isTTY === true && !environment.NO_COLOR && environment.TERM !== 'dumb'

function print({ json, lines, exit = exitCodes.done.code }: Answer, asJson: boolean, io: Io): number {
  io.output.write(asJson ? `${toAsciiJson(json)}\n` : renderLines(lines, isColorEnabled(io, io.output)))
  return exit
}

const checkLine = (check: unknown) => {
  const { name, ok, have, need } = check as Record<string, unknown>
  return `  ${ok ? 'ok  ' : 'fail'}  ${name}: ${have}, needed: ${need}`
}

function fail(error: unknown, asJson: boolean, io: Io): number {
  const { exit, json } = describeFailure(error)
  if (asJson) io.output.write(`${toAsciiJson(json)}\n`)
  else {
    const lines: Line[] = [json.error, ...(json.checks ?? []).map(checkLine), ...(json.hint ? [json.hint] : [])]
    io.errors.write(renderLines(lines, false))
  }
  return exit
}
