import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { getSmartAccountsEnvironment, type SmartAccountsEnvironment } from '@metamask/smart-accounts-kit'
import {
  type ChainAccess,
  computeWorstCase,
  createJournalFile,
  createSigner,
  describeWorstCase,
  encodeGrant,
  type Grant,
  type GrantUse,
  parseGrant,
  planGrant,
  readIsRevoked,
  revokeGrant,
  serveSigner,
  signGrant,
  signInAgent,
} from '@svc/agent'
import { createViemChain } from '@svc/chain'
import { apiEndpoints, createClient as createApi } from '@svc/client'
import { formatAmount, isMarket, parseAmount, SvcError, terminalStates } from '@svc/protocol'
import { depositVaultAbi } from '@svc/protocol/abis'
import { createClient, erc20Abi, http, isHex, parseEther, publicActions, walletActions } from 'viem'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { z } from 'zod'
import { loadMarkets } from '../loadMarkets.ts'
import type { Markets } from '../market.ts'
import { type ProgramIo, readAccount } from '../negotiate/context.ts'
import { UsageError } from '../negotiate/describeExit.ts'

interface DeskOptions {
  folder: string
  api?: string
  framework?: string
}

interface GrantOptions {
  market: string
  claims: string
  hires: string
  budget: string
  deposit: string
  until: string
  gas: string
  yes?: boolean
}

/** What every command needs. */
interface Desk {
  folder: string
  apiUrl: string
  gatewayUrl: string
  markets: Markets
  chain: ChainAccess
  /** Read only where it is needed. */
  environment: () => Promise<SmartAccountsEnvironment>
  io: ProgramIo
}

const framework = z.custom<SmartAccountsEnvironment>(
  (value) => typeof value === 'object' && value !== null && 'DelegationManager' in value,
)

/** Opens the market, whose contracts are verified on chain before anything is signed. */
export async function openDesk({ folder, api, framework: file }: DeskOptions, io: ProgramIo): Promise<Desk> {
  const { env, markets } = await loadMarkets(io.environment, (line) => void io.errors.write(`${line}\n`), { api })
  if (!env.SVC_API_URL) throw new UsageError('Set SVC_API_URL, or pass --api <url>.')
  await markets.providers.checkAll('registries')
  const { chainId } = markets.deployments
  const transport = http(env.CHAIN_RPC_URL[0])
  const chain = createClient({ chain: createViemChain(chainId), transport, pollingInterval: 500 })
    .extend(publicActions)
    .extend(walletActions)
  const environment = async () =>
    file ? framework.parse(JSON.parse(await readFile(file, 'utf8'))) : getSmartAccountsEnvironment(chainId)
  return { folder, apiUrl: env.SVC_API_URL, gatewayUrl: env.SVC_GATEWAY_URL, markets, chain, environment, io }
}

const names = { grant: 'grant.json', session: 'session.key', socket: 'signer.sock', journal: 'signer.jsonl' }

const loadGrant = async ({ folder }: Pick<Desk, 'folder'>): Promise<Grant> =>
  parseGrant(JSON.parse(await readFile(join(folder, names.grant), 'utf8')))

/** Creates the session key of a folder, or reads it. */
async function openSession(folder: string) {
  const path = join(folder, names.session)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await writeFile(path, `${generatePrivateKey()}\n`, { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    },
  )
  await chmod(path, 0o600)
  const key = (await readFile(path, 'utf8')).trim()
  if (!isHex(key)) throw new SvcError('INVALID_KEYS', `${path} does not hold a key.`)
  return privateKeyToAccount(key)
}

export async function grant(desk: Desk, options: GrantOptions): Promise<void> {
  const { folder, apiUrl, markets, chain, io } = desk
  const { market, claims, hires, yes } = options
  if (!isMarket(market)) throw new UsageError('--market is standard or micro.')
  const until = Math.floor(Date.parse(options.until) / 1_000)
  if (!(until > 0)) throw new UsageError('--until is a time such as 2026-11-20T23:59Z.')
  const uses: GrantUse[] = [
    ...(Number(claims) > 0 ? (['earn'] as const) : []),
    ...(Number(hires) > 0 ? (['hire'] as const) : []),
  ]
  if (uses.length === 0) throw new UsageError('Say --claims, --hires or both.')
  const owner = readAccount(io.environment.PRIVATE_KEY)
  const session = await openSession(folder)
  const environment = await desk.environment()
  const plan = await planGrant(chain, environment, owner.address, {
    apiUrl,
    market,
    contracts: markets.places.markets[market],
    session: session.address,
    uses,
    claims: Number(claims),
    hires: Number(hires),
    budgetTokWei: parseAmount(options.budget, 'tok'),
    depositUsdc: parseAmount(options.deposit, 'usdc'),
    until,
    gasWei: parseEther(options.gas),
  })
  io.output.write(`${describeWorstCase(computeWorstCase(plan))}\n`)
  if (!yes && !(await confirm(io))) return void io.output.write('Nothing was signed.\n')
  const signed = await signGrant(chain, environment, owner, plan)
  await signInAgent(signed, { folder, owner, chain })
  await writeFile(join(folder, names.grant), `${JSON.stringify(encodeGrant(signed), null, 2)}\n`, { mode: 0o600 })
  io.output.write(`${join(folder, names.grant)} is signed for ${owner.address}.\n`)
}

async function confirm({ input, output }: ProgramIo): Promise<boolean> {
  const lines = createInterface({ input, output })
  const answer = await lines.question('Sign it? Type yes: ')
  lines.close()
  return answer.trim() === 'yes'
}

export async function showStatus(desk: Desk): Promise<void> {
  const { chain, apiUrl, io } = desk
  const given = await loadGrant(desk)
  const { account, market, contracts, limits } = given
  const { tokToken, paymentGateway, depositVault } = contracts
  const [left, deposit, isRevoked, worked, posted] = await Promise.all([
    chain.readContract({
      address: tokToken,
      abi: erc20Abi,
      functionName: 'allowance',
      args: [account, paymentGateway],
    }),
    chain.readContract({ address: depositVault, abi: depositVaultAbi, functionName: 'balanceOf', args: [account] }),
    readIsRevoked(chain, given),
    createApi(apiEndpoints, { baseUrl: apiUrl }).listTasksByWorker({ address: account, market, limit: 100 }),
    createApi(apiEndpoints, { baseUrl: apiUrl }).listTasksByPoster({ address: account, market, limit: 100 }),
  ])
  const tasks = [...worked.body.tasks, ...posted.body.tasks]
  const running = tasks.filter(({ state }) => !terminalStates.some((each) => each === state))
  const deadlines = running.filter(({ deadline }) => deadline !== null)
  const earned = worked.body.tasks.reduce((sum, { releasedTokWei }) => sum + BigInt(releasedTokWei), 0n)
  const isOver = isRevoked || limits.until * 1_000 < Date.now()
  io.output.write(
    `${isOver ? 'ended' : 'active'} · ${formatAmount(left, 'tok')} of ${formatAmount(limits.allowanceTokWei, 'tok')} left · ${formatAmount(deposit, 'usdc')} in the deposit · ${running.length} tasks running, ${deadlines.length} deadlines · earned ${formatAmount(earned, 'tok')}\n`,
  )
}

export async function revoke(desk: Desk): Promise<void> {
  const { chain, io } = desk
  const hash = await revokeGrant(
    chain,
    await desk.environment(),
    readAccount(io.environment.PRIVATE_KEY),
    await loadGrant(desk),
  )
  io.output.write(`The grant has ended: ${hash}\n`)
}

/** Runs until it is stopped. */
export async function serve(desk: Desk): Promise<void> {
  const { folder, chain, gatewayUrl, io } = desk
  const signer = createSigner({
    grant: await loadGrant(desk),
    session: await openSession(folder),
    chain,
    journal: createJournalFile(join(folder, names.journal)),
    gatewayUrl,
  })
  const path = join(folder, names.socket)
  const served = await serveSigner(signer, path)
  io.output.write(`listening on ${path}\n`)
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  await served.close()
}
