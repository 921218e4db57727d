import { constants } from 'node:fs'
import { access, readFile, stat, statfs } from 'node:fs/promises'
import { type Deployments, listContracts, parseDeployments } from '@svc/chain'
import { chainProfiles, getChainProfile } from '@svc/protocol'
import { isAddressEqual, zeroAddress } from 'viem'
import type { Environment } from './config.ts'

/** What the checks of a configuration look at. Everything is an argument, so that tests can plant any fault. */
export interface MachineContext {
  environment: Environment
  nodeVersion: string
  readText: (path: string) => Promise<string | null>
  /** Permission bits of a file; null if it does not exist. */
  readMode: (path: string) => Promise<number | null>
  /** Whether files can be created in a folder. */
  canWrite: (path: string) => Promise<boolean>
  /** Bytes that are free where a path is; null if it does not exist. */
  readFreeBytes: (path: string) => Promise<bigint | null>
}

/** A check of a configuration that asks nobody but this machine. */
interface ConfigCheck {
  name: string
  /** The variables that it is about. An app that has none of them leaves it out; without any, every app makes it. */
  variables: readonly string[]
  /** Whether an app starts in spite of a fault: it works, but not as well or as safely as it could. */
  isAdvice?: boolean
  /** Returns the faults, one line each. */
  run: (context: MachineContext, deployments: Deployments | null) => Promise<readonly string[]>
}

/** Splits a list of a variable. */
const splitList = (text: string | undefined): string[] => (text ? text.split(',').map((each) => each.trim()) : [])

/** The RPC URLs of the environment. */
export const listRpcUrls = ({ SVC_RPC_URL, CHAIN_RPC_URL }: Environment): string[] =>
  splitList(SVC_RPC_URL || CHAIN_RPC_URL)

const isHttpUrl = (text: string) => /^https?:\/\/\S+$/.test(text) && URL.canParse(text)
const isLoopback = (text: string) => URL.canParse(text) && /^(127\.|localhost$|\[::1\])/.test(new URL(text).hostname)
/** Variables with the file of a private key. */
export const keyFiles = ['SVC_KEEPER_KEY_FILE', 'SVC_STORE_KEY_FILE', 'SVC_CLERK_KEY_FILE'] as const
const folders = ['SVC_STORE_FOLDER', 'SVC_CLERK_FOLDER', 'SVC_WORK_FOLDER'] as const
const oneGibibyte = 2n ** 30n
const minNode = [24, 12] as const

/** Reports a fault if a condition holds. */
export const reportIf = (condition: unknown, fault: string): string[] => (condition ? [fault] : [])

/** A deployment whose tokens have value. */
export const isProduction = (chainId: number | undefined) =>
  chainId !== undefined && getChainProfile(chainId).banner === null

/** Every check that needs no network, in the order in which they are reported. */
export const configChecks: readonly ConfigCheck[] = [
  {
    name: 'Node',
    variables: [],
    async run({ nodeVersion }) {
      const [major = 0, minor = 0] = nodeVersion.replace(/^v/, '').split('.').map(Number)
      const isOld = major < minNode[0] || (major === minNode[0] && minor < minNode[1])
      return reportIf(isOld, `Node ${nodeVersion} is too old: ${minNode.join('.')} or newer is needed.`)
    },
  },
  {
    name: 'quotes',
    variables: [],
    run: async ({ environment }) =>
      Object.entries(environment)
        .filter(([name, value = '']) => /^(SVC_|CHAIN_)/.test(name) && /^(["']).*\1$|^\s|\s$/s.test(value))
        .map(([name]) => `${name} has quotes or spaces around its value. Remove them.`),
  },
  {
    name: 'RPC URLs',
    variables: ['CHAIN_RPC_URL'],
    isAdvice: true,
    async run({ environment }) {
      const urls = listRpcUrls(environment)
      if (urls.length === 0)
        return ['CHAIN_RPC_URL is not set, so only the public endpoint is used. Set three providers.']
      return urls.flatMap((url, index) =>
        reportIf(!isHttpUrl(url), `CHAIN_RPC_URL: entry ${index + 1} is not an http or https URL.`),
      )
    },
  },
  {
    name: 'three providers',
    variables: ['CHAIN_RPC_URL'],
    isAdvice: true,
    async run({ environment }) {
      const urls = listRpcUrls(environment).filter(isHttpUrl)
      if (urls.length === 0) return []
      if (urls.length === 1)
        return ['CHAIN_RPC_URL has one provider, so its responses are not cross-checked. Add two others.']
      const hosts = new Set(urls.map((url) => new URL(url).host))
      return [
        ...reportIf(
          urls.length === 2,
          'CHAIN_RPC_URL has two providers. If one is silent, the index stops. Add a third.',
        ),
        ...reportIf(hosts.size === 1, 'CHAIN_RPC_URL: all providers have the same host. Use different companies.'),
      ]
    },
  },
  {
    name: 'WebSocket URLs',
    variables: ['CHAIN_WS_URL'],
    async run({ environment }) {
      const sockets = splitList(environment.CHAIN_WS_URL)
      const count = listRpcUrls(environment).length
      return reportIf(
        sockets.length > 0 && sockets.length !== count,
        `CHAIN_WS_URL has ${sockets.length} entries, but there are ${count} providers.`,
      )
    },
  },
  {
    name: 'public RPC URL',
    variables: ['SVC_PUBLIC_RPC_URL'],
    isAdvice: true,
    async run({ environment }) {
      const { SVC_PUBLIC_RPC_URL: url } = environment
      if (!url) return []
      if (!isHttpUrl(url)) return ['SVC_PUBLIC_RPC_URL is not an http or https URL.']
      const { username, search, pathname } = new URL(url)
      const isKeyed = username || search || pathname.split('/').some((part) => /^[A-Za-z0-9_-]{20,}$/.test(part))
      return reportIf(isKeyed, 'SVC_PUBLIC_RPC_URL seems to contain a key, but every client can read it.')
    },
  },
  {
    name: 'database URL',
    variables: ['SVC_DATABASE_URL'],
    async run({ environment: { SVC_DATABASE_URL: url } }) {
      if (!url) return ['SVC_DATABASE_URL is not set.']
      return reportIf(
        !/^postgres(?:ql)?:\/\/\S+$/.test(url) || !URL.canParse(url),
        'SVC_DATABASE_URL is not a postgres:// URL.',
      )
    },
  },
  {
    name: 'deployments file',
    variables: ['SVC_DEPLOYMENTS'],
    async run({ environment: { SVC_DEPLOYMENTS: file }, readText }) {
      if (!file) return ['SVC_DEPLOYMENTS is not set.']
      const text = await readText(file)
      if (text === null) return [`SVC_DEPLOYMENTS: cannot read ${file}.`]
      try {
        parseDeployments(text, file)
        return []
      } catch (error) {
        return [`SVC_DEPLOYMENTS: ${error instanceof SyntaxError ? `${file} is not JSON.` : (error as Error).message}`]
      }
    },
  },
  {
    name: 'chain',
    variables: ['SVC_DEPLOYMENTS'],
    run: async (_, deployments) =>
      reportIf(
        deployments && !chainProfiles.some(({ id }) => id === deployments.chainId),
        `SVC_DEPLOYMENTS: chain ${deployments?.chainId} has no profile.`,
      ),
  },
  {
    name: 'addresses',
    variables: ['SVC_DEPLOYMENTS'],
    isAdvice: true,
    async run(_, deployments) {
      if (!deployments) return []
      const { treasury, finalCourt } = deployments.shared
      const zero = [
        ...listContracts(deployments).map(({ path, address }) => ({ path, address })),
        { path: 'treasury', address: treasury },
        { path: 'finalCourt', address: finalCourt },
      ].filter(({ address }) => isAddressEqual(address, zeroAddress))
      const all = listContracts(deployments).map(({ address }) => address.toLowerCase())
      return [
        ...zero.map(({ path }) => `SVC_DEPLOYMENTS: ${path} is the zero address.`),
        ...reportIf(new Set(all).size < all.length, 'SVC_DEPLOYMENTS: two contracts have the same address.'),
      ]
    },
  },
  {
    name: 'start block',
    variables: ['SVC_DEPLOYMENTS'],
    isAdvice: true,
    run: async (_, deployments) =>
      reportIf(
        deployments && isProduction(deployments.chainId) && deployments.startBlock === 0,
        'SVC_DEPLOYMENTS: startBlock is 0, so an index would read the whole chain. `svc-admin deploy` writes the right one.',
      ),
  },
  {
    name: 'code hashes',
    variables: ['SVC_DEPLOYMENTS'],
    isAdvice: true,
    run: async (_, deployments) =>
      reportIf(
        deployments && Object.keys(deployments.codeHashes ?? {}).length < listContracts(deployments).length,
        'SVC_DEPLOYMENTS: codeHashes is not complete, so a provider with other code is not noticed. Run `svc-admin check`.',
      ),
  },
  {
    name: 'site folder',
    variables: ['SVC_SITE_DIR'],
    async run({ environment: { SVC_SITE_DIR: folder }, readText }) {
      if (!folder) return []
      return reportIf(
        (await readText(`${folder}/index.html`)) === null,
        `SVC_SITE_DIR: ${folder} has no index.html. Build the site first.`,
      )
    },
  },
  {
    name: 'site URL',
    variables: ['SVC_SITE_URL'],
    isAdvice: true,
    async run({ environment: { SVC_SITE_URL: url } }, deployments) {
      if (!url || !isProduction(deployments?.chainId)) return []
      if (!isHttpUrl(url)) return ['SVC_SITE_URL is not an http or https URL.']
      return reportIf(
        !url.startsWith('https://') && !isLoopback(url),
        'SVC_SITE_URL is not https: wallets would sign in over plain text.',
      )
    },
  },
  {
    name: 'store address',
    variables: ['SVC_STORE_ADDRESS'],
    run: async ({ environment: { SVC_STORE_URL, SVC_STORE_ADDRESS } }) =>
      reportIf(SVC_STORE_URL && !SVC_STORE_ADDRESS, 'SVC_STORE_ADDRESS is needed with SVC_STORE_URL: terms name it.'),
  },
  {
    name: 'key files',
    variables: keyFiles,
    isAdvice: true,
    run: async (context) => (await Promise.all(keyFiles.map((name) => checkKeyFile(name, context)))).flat(),
  },
  {
    name: 'folders',
    variables: folders,
    isAdvice: true,
    async run({ environment, canWrite }) {
      const found = await Promise.all(
        folders.map(async (name) => {
          const folder = environment[name]
          return reportIf(
            folder && !(await canWrite(folder)),
            `${name}: ${folder} is not a folder that can be written to.`,
          )
        }),
      )
      return found.flat()
    },
  },
  {
    name: 'disk',
    variables: ['SVC_STORE_FOLDER'],
    isAdvice: true,
    async run({ environment: { SVC_STORE_FOLDER }, readFreeBytes }) {
      const free = await readFreeBytes(SVC_STORE_FOLDER || '.')
      return reportIf(
        free !== null && free < oneGibibyte,
        `The disk has ${(free ?? 0n) / 2n ** 20n} MiB left; 1 GiB is the least.`,
      )
    },
  },
  {
    name: 'trusted proxies',
    variables: ['SVC_TRUSTED_PROXIES'],
    run: async ({ environment: { SVC_TRUSTED_PROXIES: list } }) =>
      splitList(list)
        .filter((each) => /^(0\.0\.0\.0|::)\/0$/.test(each))
        .map((each) => `SVC_TRUSTED_PROXIES: ${each} lets every client choose its own address.`),
  },
]

async function checkKeyFile(name: (typeof keyFiles)[number], { environment, readMode }: MachineContext) {
  const file = environment[name]
  const key = name.replace(/_FILE$/, '')
  if (!file) return []
  const mode = await readMode(file)
  return [
    ...reportIf(environment[key], `${name} and ${key} are both set. Remove one.`),
    ...reportIf(mode === null, `${name}: cannot read ${file}.`),
    ...reportIf(mode !== null && (mode & 0o077) !== 0, `${name}: others can read ${file}. Run chmod 600.`),
  ]
}

/** What the checks look at on this machine. */
export const createMachineContext = (environment: Environment): MachineContext => ({
  environment,
  nodeVersion: process.version,
  readText: (path) => readFile(path, 'utf8').catch(() => null),
  readMode: (path) =>
    stat(path).then(
      ({ mode }) => mode & 0o777,
      () => null,
    ),
  canWrite: async (path) =>
    (await stat(path).then(
      (found) => found.isDirectory(),
      () => false,
    )) &&
    access(path, constants.W_OK).then(
      () => true,
      () => false,
    ),
  readFreeBytes: (path) =>
    statfs(path, { bigint: true }).then(
      ({ bavail, bsize }) => bavail * bsize,
      () => null,
    ),
})

/** Checks the variables of one app. Variables of other apps do not matter. */
export async function checkConfig(
  context: MachineContext,
  { variables, deployments }: { variables: readonly string[]; deployments: Deployments },
): Promise<{ faults: string[]; advice: string[] }> {
  const own = [...variables, 'SVC_RPC_URL']
  const environment = Object.fromEntries(Object.entries(context.environment).filter(([name]) => own.includes(name)))
  const found: { faults: string[]; advice: string[] } = { faults: [], advice: [] }
  for (const { variables: about, isAdvice, run } of configChecks) {
    if (about.length > 0 && !about.some((name) => own.includes(name))) continue
    found[isAdvice ? 'advice' : 'faults'].push(...(await run({ ...context, environment }, deployments)))
  }
  return found
}

/** Ends a process that was started with `--check-config`: prints what is wrong and what could be better, or what the app would do. */
export async function reportConfig(app: {
  environment: Environment
  variables: readonly string[]
  deployments: Deployments
  /** One line about a valid configuration. */
  summary: string
}): Promise<never> {
  const { faults, advice } = await checkConfig(createMachineContext(app.environment), app)
  for (const line of advice) console.error(`Advice: ${line}`)
  for (const line of faults) console.error(line)
  if (faults.length === 0) console.log(app.summary)
  process.exit(faults.length === 0 ? 0 : 1)
}
