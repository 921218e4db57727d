import { mkdir, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { ApiError } from '@svc/client'
import { errorCodes, notifyErrorCodes, sessionErrorCodes, storeErrorCodes } from '@svc/operations'
import { formatTaskId, SvcError } from '@svc/protocol'
import { WorkError } from '@svc/protocol/work'
import { fetchSiteConfig, SiteConfigError } from '@svc/serve'
import { ensureKeys } from '@svc/work'
import { getAddress } from 'viem'
import type { ToolsEnv } from '../env.ts'
import type { Markets } from '../market.ts'
import { ToolError, type ToolWork } from '../tool.ts'
import { cleanUntrustedLine } from '../untrusted.ts'
import { listWorkFolders, openWorkWallet } from './place.ts'

type WorkEnv = Pick<ToolsEnv, 'SVC_API_URL' | 'SVC_STORE_URL' | 'SVC_WORK_FOLDER'>

/** Creates what the tools need for work. Nothing is read before a tool asks for it. */
export function createToolWork(markets: Markets, env: WorkEnv, stateFolder: string): ToolWork {
  return {
    openWallet(wallet) {
      if (!env.SVC_API_URL) throw notConfigured('SVC_API_URL is not set, so the domain of sign-ins is unknown.')
      const settings = {
        ...listWorkFolders(stateFolder),
        domain: new URL(env.SVC_API_URL).host,
        storeUrl: env.SVC_STORE_URL,
        apiUrl: env.SVC_API_URL,
        now: () => Math.floor(Date.now() / 1000),
        progress: () => {},
      }
      const signMessage = async () => {
        throw new ToolError('NOT_SIGNED_IN', `${wallet} has not signed in on this machine.`, signInFirst)
      }
      return openWorkWallet(markets, settings, { wallet, signMessage })
    },
    async findMarketStore(market) {
      if (!env.SVC_API_URL) throw notConfigured('SVC_API_URL is not set, so the store of the market is not known.')
      const { store } = await fetchSiteConfig(env.SVC_API_URL, market)
      return store && { address: getAddress(store.address) }
    },
    async readStatement(wallet) {
      const { statement } = await ensureKeys(this.openWallet(wallet).signIn)
      return statement && { message: statement.message, signature: statement.signature }
    },
    async openTaskFolder(taskId, box) {
      const folder = await requireFolder()
      const name = join(taskId === 'new' ? taskId : formatTaskId(taskId).replaceAll(':', '-'), box)
      const path = join(folder, name)
      await mkdir(path, { recursive: true })
      // A link would lead to the files of another task.
      if ((await realpath(path)) !== path) throw notConfigured(`${name} in SVC_WORK_FOLDER is a link.`)
      return { path, name }
    },
  }

  async function requireFolder(): Promise<string> {
    if (!env.SVC_WORK_FOLDER) throw notConfigured('SVC_WORK_FOLDER is not set, so no file may be sent or saved.')
    const folder = await realpath(env.SVC_WORK_FOLDER).catch(() => null)
    if (folder === null) throw notConfigured('SVC_WORK_FOLDER does not exist.')
    await mkdir(stateFolder, { recursive: true, mode: 0o700 })
    const state = await realpath(stateFolder)
    // Otherwise an agent could be talked into sending the keys.
    if (`${state}${sep}`.startsWith(folder === sep ? sep : `${folder}${sep}`)) {
      throw notConfigured('SVC_WORK_FOLDER contains the folder of the keys. It must be a folder of its own.')
    }
    return folder
  }
}

const signInFirst = 'Call svc_work_sign_in with this address first.'
const notConfigured = (why: string) =>
  new ToolError('NOT_CONFIGURED', why, 'Ask the operator of this server to set it. Do not look for another way.')

/** The services that a wallet signs in at. */
type Service = 'store' | 'notifier'

/** Runs a tool's work. Its errors are in our own words: messages of a service or names of files are text of strangers. */
export async function withWorkErrors<T>(run: () => Promise<T>, service: Service = 'store'): Promise<T> {
  try {
    return await run()
  } catch (error) {
    throw toWorkToolError(error, service)
  }
}

const unreachableCodes = { store: 'STORE_UNREACHABLE', notifier: 'NOTIFIER_UNREACHABLE' } as const

function toWorkToolError(error: unknown, service: Service): unknown {
  if (error instanceof ToolError) return error
  if (error instanceof ApiError) {
    const code = /^[A-Z_]{1,40}$/.test(error.code ?? '') ? error.code : 'UNKNOWN'
    return error.status >= 500
      ? new ToolError(unreachableCodes[service], `The ${service} failed: ${code}.`, tryLater, true)
      : describeRefusal(error, service, code)
  }
  if (error instanceof TypeError || error instanceof SiteConfigError) {
    return new ToolError(unreachableCodes[service], `The ${service} is unreachable.`, tryLater, true)
  }
  if (error instanceof WorkError) {
    const next = error.code === 'NO_GRANT' ? askGrant : 'Use nothing of it. Tell the person, and ask the other party.'
    return new ToolError('WORK_REFUSED', `The work failed a check: ${error.code}.`, next)
  }
  if (error instanceof SvcError && ownCodes.has(error.code)) {
    return new ToolError('WORK_REFUSED', error.message, error.hint ?? checkRole)
  }
  return error
}

/** What a service refused: our own words for its code, and its own ones as text of others. */
function describeRefusal({ message, hint, status, retryAfter }: ApiError, service: Service, code: string | null) {
  const known = code !== null && code in refusals ? refusals[code as keyof typeof refusals] : null
  const meaning = known?.meaning ?? `status ${status}`
  const wait = retryAfter === null ? tryLater : `Try again in ${retryAfter} s.`
  const nextStep = status === 429 ? wait : (cures[code ?? ''] ?? checkRole)
  const untrustedReason = cleanUntrustedLine([message, hint].filter(Boolean).join(' '), 400)
  const error = `The ${service} refused this: ${code}. ${meaning}`
  return new ToolError('WORK_REFUSED', error, nextStep, status === 429, untrustedReason)
}

const refusals = { ...errorCodes, ...sessionErrorCodes, ...storeErrorCodes, ...notifyErrorCodes }

/** What to do about a refusal, where the role of the wallet is not the reason. */
const cures: Readonly<Record<string, string>> = {
  SESSION_REQUIRED: signInFirst,
  INVALID_STATEMENT: signInFirst,
  STATEMENT_REQUIRED: 'The poster calls svc_work_sign_in first, or posts with store "none".',
  MAIL_DEPOSIT_REQUIRED: 'Call svc_prepare with action top-up, or write only to the other side of a task of yours.',
  MAIL_UNANSWERED: 'Wait for the answer: poll svc_read_inbox, then svc_read_messages.',
  RECEIPT_REFUSED: 'Call svc_task_next_steps: if the delivery is still open, call svc_send_work again.',
  WORK_QUOTA_REACHED: 'Send less: a smaller file, or fewer.',
}

/** Errors whose message has no text of others. */
const ownCodes: ReadonlySet<string> = new Set([
  'BUNDLE_NOT_FOUND',
  'MESSAGE_REFUSED',
  'NOT_A_PARTY',
  'NOT_CANCELLABLE',
  'OFFER_CHANGED',
  'UNKNOWN_NEGOTIATION',
  'WHO_IS_MISSING',
  'EMPTY_BUNDLE',
  'FILE_CHANGED',
  'INVALID_FILE',
  'NOTIFIER_UNKNOWN',
  'NOT_ALLOWED',
  'NO_READING_KEY',
  'PART_LOST',
  'STORE_UNKNOWN',
  'TASK_NOT_FOUND',
  'WRONG_RECEIPT',
  'WRONG_STORE',
])

const tryLater = 'Try again in a minute. What was sealed and sent already stays.'
const checkRole = 'Check the task and the role of the wallet with svc_get_task.'
const askGrant = 'It was not shared with the keys of this machine. Ask a party of the task to grant it.'
