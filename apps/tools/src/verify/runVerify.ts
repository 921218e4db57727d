import { stat } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { apiEndpoints, splitEndpoint } from '@svc/operations'
import { InvalidTaskIdError, parseTaskId } from '@svc/protocol'
import { BrokenTranscriptError, InvalidAgreementError } from '@svc/protocol/negotiation'
import { WorkError } from '@svc/protocol/work'
import { readAnswer } from '@svc/reads'
import { EnvError } from '@svc/serve'
import type { ToolsEnv } from '../env.ts'
import { loadMarkets } from '../loadMarkets.ts'
import type { Markets } from '../market.ts'
import { UsageError } from '../negotiate/describeExit.ts'
import { parseDigestArgument, readTextFile } from '../negotiate/parseArguments.ts'
import type { Io } from '../prepare/io.ts'
import { toAsciiJson } from '../prepare/plain.ts'
import { fetchAnswer, parseAnswer } from './fetchAnswer.ts'
import { type Report, verifyExitCodes } from './report.ts'
import { verifyBundle } from './verifyBundle.ts'
import { verifyFile } from './verifyFile.ts'
import { verifyUrl } from './verifyUrl.ts'

const options = {
  answer: { type: 'string' },
  digest: { type: 'string' },
  rpc: { type: 'string' },
  api: { type: 'string' },
  repin: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

const help = [
  'Usage: svc-verify <url | task id | agreement file | bundle folder> [options]',
  '',
  '  <url>             a response of the API or the gateway, compared with the chain at the block that it names',
  '  <task id>         such as v2:standard:7: the response of SVC_API_URL, or of the chain if it is not set; with eth_getProof',
  '  <agreement file>  what it proves, offline; if the chain is configured, also that its task has the same digest',
  '  <bundle folder>   an exported bundle of work: its files, offline; if the chain is configured, also that its task has its hash',
  '',
  '  --answer <file>   use this saved response instead of fetching the URL',
  '  --digest <0x…>    the settlement digest that the agreement must have',
  '  --rpc <url,…>     the nodes to trust, instead of CHAIN_RPC_URL',
  '  --api <url>       the API of the market, instead of SVC_API_URL; its contracts are verified on chain and pinned',
  '  --repin           accept new contracts of the API',
  '  --json            print JSON',
  '',
  'Environment: SVC_API_URL or SVC_DEPLOYMENTS, CHAIN_RPC_URL (or SVC_RPC_URL). Files and folders need none of them.',
  `Exit codes: ${Object.values(verifyExitCodes)
    .map(({ code, description }) => `${code} ${description}`)
    .join('; ')}.`,
].join('\n')

type Outside = Omit<Io, 'input' | 'now'>
type Given = ReturnType<typeof parseArguments>['values']

/** The command line `svc-verify`: takes the arguments and returns the exit code. It never throws. */
export async function runVerify(argv: readonly string[], io: Outside): Promise<number> {
  // Checked first, so that invalid arguments are reported as JSON too.
  const asJson = argv.includes('--json')
  try {
    const { values, positionals } = parseArguments(argv)
    const [what, ...more] = positionals
    if (values.help) {
      io.output.write(`${help}\n`)
      return verifyExitCodes.equal.code
    }
    if (what === undefined || more.length > 0) throw new UsageError(help)
    const { lines, json, isTrue } = await verify(what, values, io)
    io.output.write(asJson ? `${toAsciiJson(json)}\n` : `${lines.join('\n')}\n`)
    return verifyExitCodes[isTrue ? 'equal' : 'different'].code
  } catch (error) {
    const { message } = error as Error
    const exit = classifyError(error)
    if (asJson) io.output.write(`${toAsciiJson({ error: message, exit })}\n`)
    else io.errors.write(`${exit === 'unverified' ? 'not verified: ' : ''}${message}\n`)
    return verifyExitCodes[exit].code
  }
}

function parseArguments(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${help}`)
  }
}

async function verify(what: string, given: Given, io: Outside): Promise<Report> {
  if (/^https?:\/\//i.test(what)) {
    const { markets } = await openConfiguredMarkets(given, io)
    const url = parseUrl(what)
    return verifyUrl(url, given.answer ? await readSavedAnswer(given.answer) : await fetchAnswer(url), markets)
  }
  if (what.startsWith('v2:')) return verifyTask(what, await openConfiguredMarkets(given, io))
  const digest = given.digest === undefined ? undefined : parseDigestArgument(given.digest)
  const { environment } = io
  const isSet = (given.rpc ?? environment.CHAIN_RPC_URL ?? environment.SVC_RPC_URL) && environment.SVC_DEPLOYMENTS
  const markets = isSet ? (await openConfiguredMarkets(given, io)).markets : null
  return (await isFolder(what)) ? verifyBundle(what, markets) : verifyFile(what, digest, markets)
}

/** Verifies the task as the API returns it. Without an API, as the provider returns it, which the proof then checks. */
async function verifyTask(id: string, { env, markets }: { env: ToolsEnv; markets: Markets }): Promise<Report> {
  parseTaskId(id)
  const url = new URL(`${splitEndpoint(apiEndpoints.getTask).path}?id=${id}`, env.SVC_API_URL ?? 'http://localhost')
  return verifyUrl(url, env.SVC_API_URL ? await fetchAnswer(url) : await readAnswer(url, markets), markets)
}

const openConfiguredMarkets = ({ rpc, api, repin }: Given, { environment, errors }: Outside) =>
  loadMarkets({ ...environment, ...(rpc && { SVC_RPC_URL: rpc }) }, (message) => errors.write(`${message}\n`), {
    api,
    repin,
  })

const isFolder = (path: string) =>
  stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  )

const readSavedAnswer = async (file: string) => parseAnswer(await readTextFile(file), `${file} is not JSON.`)

function parseUrl(text: string): URL {
  if (!URL.canParse(text)) throw new UsageError(`Not a valid URL: ${text.slice(0, 200)}.`)
  return new URL(text)
}

function classifyError(error: unknown): keyof typeof verifyExitCodes {
  if (error instanceof InvalidAgreementError || error instanceof BrokenTranscriptError || error instanceof WorkError) {
    return 'different'
  }
  if (error instanceof UsageError || error instanceof EnvError || error instanceof InvalidTaskIdError) return 'usage'
  return 'unverified'
}
