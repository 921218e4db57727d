import { parseArgs } from 'node:util'
import { InvalidTaskIdError, parseTaskId } from '@svc/protocol'
import { BrokenTranscriptError, InvalidAgreementError } from '@svc/protocol/negotiation'
import { answerOf, task } from '@svc/reads'
import { EnvError, readConfig } from '@svc/serve'
import { type Hex, isHex } from 'viem'
import { type Env, readEnv } from '../env.ts'
import { type Markets, openMarkets } from '../market.ts'
import { UsageError } from '../negotiate/exitOf.ts'
import { readTextFile } from '../negotiate/given.ts'
import type { Io } from '../prepare/io.ts'
import { asciiJson } from '../prepare/plain.ts'
import { fetchAnswer, jsonOf } from './fetchAnswer.ts'
import { type Report, verifyExits } from './report.ts'
import { verifyFile } from './verifyFile.ts'
import { verifyUrl } from './verifyUrl.ts'

const options = {
  answer: { type: 'string' },
  digest: { type: 'string' },
  rpc: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

const help = [
  'Usage: svc-verify <url | task id | agreement file> [options]',
  '',
  '  <url>             an answer of the API or the gateway: read again from the chain at the block that it names',
  '  <task id>         v2:standard:7: what SVC_API_URL says of it, or without one the chain itself; also by eth_getProof',
  '  <agreement file>  what it proves by itself, offline; where the chain is known, also that its task has this digest',
  '',
  '  --answer <file>   the answer of that URL, saved before, instead of asking again',
  '  --digest <0x…>    the settlement digest that the agreement must be about',
  '  --rpc <url,…>     the nodes to believe, instead of CHAIN_RPC_URL',
  '  --json            for programs',
  '',
  'Environment: CHAIN_RPC_URL (or SVC_RPC_URL), SVC_DEPLOYMENTS, SVC_API_URL. A file needs none of them.',
  `Exit codes: ${Object.values(verifyExits)
    .map(({ code, words }) => `${code} ${words}`)
    .join('; ')}.`,
].join('\n')

type Given = ReturnType<typeof read>['values']

/** The command line `svc-verify`: takes the arguments and returns the exit code. It never throws. */
export async function runVerify(argv: readonly string[], io: Omit<Io, 'input' | 'now'>): Promise<number> {
  // Known before anything else is: a mistake in the arguments is told as JSON too.
  const asJson = argv.includes('--json')
  try {
    const { values, positionals } = read(argv)
    const [what, ...more] = positionals
    if (values.help) {
      io.output.write(`${help}\n`)
      return verifyExits.equal.code
    }
    if (what === undefined || more.length > 0) throw new UsageError(help)
    const { lines, json, isTrue } = await verify(what, values, io.environment)
    io.output.write(asJson ? `${asciiJson(json)}\n` : `${lines.join('\n')}\n`)
    return verifyExits[isTrue ? 'equal' : 'different'].code
  } catch (error) {
    const { message } = error as Error
    const exit = exitOf(error)
    if (asJson) io.output.write(`${asciiJson({ error: message, exit })}\n`)
    else io.errors.write(`${exit === 'unverified' ? 'not verified: ' : ''}${message}\n`)
    return verifyExits[exit].code
  }
}

function read(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n${help}`)
  }
}

async function verify(what: string, given: Given, environment: Io['environment']): Promise<Report> {
  if (/^https?:\/\//i.test(what)) {
    const { markets } = await open(given, environment)
    const url = urlOf(what)
    return verifyUrl(url, given.answer ? await saved(given.answer) : await fetchAnswer(url), markets)
  }
  if (what.startsWith('v2:')) return verifyTask(what, await open(given, environment))
  const { digest } = given
  if (digest !== undefined && !(isHex(digest) && digest.length === 66)) {
    throw new UsageError('--digest is not 0x and 64 hex digits.')
  }
  const isSet = (given.rpc ?? environment.CHAIN_RPC_URL ?? environment.SVC_RPC_URL) && environment.SVC_DEPLOYMENTS
  const markets = isSet ? (await open(given, environment)).markets : null
  return verifyFile(what, digest as Hex | undefined, markets)
}

/** A task as the API tells it; where there is none, as the provider does, which the proof then judges. */
async function verifyTask(id: string, { env, markets }: { env: Env; markets: Markets }): Promise<Report> {
  parseTaskId(id)
  const url = new URL(`${task.path}?id=${id}`, env.SVC_API_URL ?? 'http://localhost')
  return verifyUrl(url, env.SVC_API_URL ? await fetchAnswer(url) : await answerOf(url, markets), markets)
}

async function open({ rpc }: Given, environment: Io['environment']): Promise<{ env: Env; markets: Markets }> {
  const { env, deployments } = await readConfig(readEnv, { ...environment, ...(rpc && { SVC_RPC_URL: rpc }) })
  return { env, markets: openMarkets(env.CHAIN_RPC_URL, deployments) }
}

const saved = async (file: string) => jsonOf(await readTextFile(file), `${file} is not JSON.`)

function urlOf(text: string): URL {
  if (!URL.canParse(text)) throw new UsageError(`${text.slice(0, 200)} is not a URL.`)
  return new URL(text)
}

function exitOf(error: unknown): keyof typeof verifyExits {
  if (error instanceof InvalidAgreementError || error instanceof BrokenTranscriptError) return 'different'
  if (error instanceof UsageError || error instanceof EnvError || error instanceof InvalidTaskIdError) return 'usage'
  return 'unverified'
}
