import { readFile } from 'node:fs/promises'
import { type Deployments, loadDeployments } from '@svc/chain'
import { chainProfiles, getChainProfile, SvcError } from '@svc/protocol'
import { defaultRpcUrl, explainIssue } from '@svc/protocol/internal/base'
import { type Address, getAddress, type Hex, isAddress } from 'viem'
import { z } from 'zod'
import { levels } from './log.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Types of variables that several apps share. */
export const integer = (min: number, max: number) => z.coerce.number().int().min(min).max(max)
export const httpUrl = z.string().regex(/^https?:\/\/\S+$/, 'not an http or https URL')
export const rpcUrls = z
  .string()
  .default(defaultRpcUrl)
  .transform((list) => list.split(','))
  .pipe(z.array(httpUrl).min(1).max(8))
const trustedProxies = z
  .string()
  .default('')
  .transform((list) => list.split(',').filter((each) => each !== ''))
  .pipe(z.array(z.union([z.ipv4(), z.ipv6(), z.cidrv4(), z.cidrv6()], 'not an address or network')).max(100))
export const walletAddress = z
  .string()
  .refine((text) => isAddress(text), 'not an address')
  .transform((text): Address => getAddress(text))
const isKey = (text: string): text is Hex => /^0x[0-9a-fA-F]{64}$/.test(text)
export const privateKey = z.string().refine(isKey, 'not a private key: 0x and 64 hex digits')
export const domainName = z.string().regex(/^[a-z0-9.-]+(?::\d{1,5})?$/, 'not a domain, with a port if it has one')
/** Domains whose sign-in messages count, separated by commas: those of the web site. */
export const domainNames = z
  .string()
  .transform((list) => list.split(',').map((each) => each.trim()))
  .pipe(z.array(domainName).min(1).max(20))
export const filePath = z.string().min(1)
/** A port to listen on; 0 picks a free one. */
export const port = integer(0, 65_535)
/** Requests per minute and client. */
export const requestRate = integer(1, 100_000_000)
export const postgresUrl = z.string().regex(/^postgres(?:ql)?:\/\/\S+$/, 'not a postgres:// URL')

/** Variables of every process that reads the chain. */
export const chainVariables = {
  /** RPC URLs of the chain, separated by commas. They may contain a key and are never shown. Default: the chain's public endpoint. */
  CHAIN_RPC_URL: rpcUrls,
  /** Path of the file with the contract addresses. */
  SVC_DEPLOYMENTS: filePath,
  /** Minimum log level. */
  SVC_LOG_LEVEL: z.enum(levels).default('info'),
  /** The address to listen on, for clients or for probes and metrics. */
  SVC_HOST: z.string().min(1).default('127.0.0.1'),
} as const

/** Variables of every service that limits its clients. */
export const clientVariables = {
  /** Addresses and networks of our own proxies, separated by commas. `X-Forwarded-For` is trusted only from them. */
  SVC_TRUSTED_PROXIES: trustedProxies,
  SVC_RATE_CALLS: requestRate.default(300),
} as const

/** Variables of every service that runs as several replicas behind a proxy. */
export const replicaVariables = {
  ...clientVariables,
  /** How long a stopping replica keeps serving until proxies notice. */
  SVC_DRAIN_MS: integer(0, 60_000).default(2_000),
} as const

/** Whether a URL is the public endpoint of a chain, which is no secret. */
export const isPublicRpcUrl = (url: string): boolean => chainProfiles.some(({ rpcUrl }) => rpcUrl === url)

/** Lists what must not appear in any log of the URLs of an app: those of its own RPC providers, and its database with the password. */
export function listUrlSecrets(env: { CHAIN_RPC_URL: readonly string[]; SVC_DATABASE_URL?: string }): string[] {
  const { CHAIN_RPC_URL, SVC_DATABASE_URL: database } = env
  const rpcs = CHAIN_RPC_URL.filter((url) => !isPublicRpcUrl(url))
  return database ? [...rpcs, database, decodeURIComponent(new URL(database).password)] : rpcs
}

/** Returns a notice for the log if the public endpoint is the only provider; null otherwise. */
export function describeDefaultRpc(urls: readonly string[]): string | null {
  const [url] = urls
  if (urls.length !== 1 || url === undefined || !isPublicRpcUrl(url)) return null
  return `using only the public RPC endpoint ${url}; set CHAIN_RPC_URL to three providers or more`
}

/**
 * Parses the environment of an app and reports all errors at once; `more` checks rules that involve several variables.
 * `SVC_RPC_URL` overrides `CHAIN_RPC_URL`. Throws `EnvError`.
 */
export function parseEnv<S extends z.ZodObject>(
  schema: S,
  environment: Environment,
  more: (set: Environment) => string[] = () => [],
): z.output<S> {
  // Compose files and shells write an unset variable as an empty value.
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== ''))
  if (set.SVC_RPC_URL) set.CHAIN_RPC_URL = set.SVC_RPC_URL
  const { success, data, error } = schema.safeParse(set, { error: explainIssue })
  const faults = [...(error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`) ?? []), ...more(set)]
  if (success && faults.length === 0) return data
  throw new EnvError(faults)
}

/** Loads the environment and the address file that it names. Throws `EnvError` with all errors of both. */
export async function readConfig<Env>(
  readEnv: (environment: Environment) => Env,
  environment: Environment,
): Promise<{ env: Env; deployments: Deployments }> {
  const faults: string[] = []
  const note = (error: unknown) => {
    if (error instanceof EnvError) faults.push(...error.faults)
    else faults.push(`SVC_DEPLOYMENTS: ${(error as Error).message}`)
    return null
  }
  const file = environment.SVC_DEPLOYMENTS
  const loaded = file ? loadDeployments(file) : null
  const chainId = await loaded?.then((deployments) => deployments.chainId).catch(() => undefined)
  // The public endpoint is that of the deployment's chain.
  const rpcUrl = chainId && getChainProfile(chainId).rpcUrl
  const set = { ...environment, ...(rpcUrl && !environment.CHAIN_RPC_URL && { CHAIN_RPC_URL: rpcUrl }) }
  const env = await Promise.resolve(set).then(readEnv).catch(note)
  const deployments = await (loaded?.catch(note) ?? null)
  if (env && deployments) return { env, deployments }
  throw new EnvError(faults)
}

/** Checks that an environment has either a private key, or the file of one. `name` is the variable of the key. Returns what is wrong. */
export function checkKeyChoice(set: Environment, name: string): string[] {
  const file = `${name}_FILE`
  return Boolean(set[name]) === Boolean(set[file]) ? [`${file}: either it or ${name} is required`] : []
}

/**
 * Returns the private key of an app: the given one, or the content of a file. `variable` names the file. Throws `EnvError`, which
 * never contains the file's content.
 */
export async function readPrivateKey(variable: string, key: Hex | undefined, file: string | undefined): Promise<Hex> {
  if (key) return key
  const text = await readFile(file ?? '', 'utf8').catch(() => {
    throw new EnvError([`${variable}: cannot read ${file}`])
  })
  const trimmed = text.trim()
  if (!isKey(trimmed)) throw new EnvError([`${variable}: ${file} is not a private key: 0x and 64 hex digits`])
  return trimmed
}

/** The environment is invalid, so the app cannot start. */
export class EnvError extends SvcError {
  override name = 'EnvError'
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super('ENV', `The environment is not complete:\n${faults.map((each) => `  ${each}`).join('\n')}\nSee .env.example.`)
    this.faults = faults
  }
}
