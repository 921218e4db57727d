import { access, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type Answer, apiEndpoints, type Client, createClient, type TaskDetailJson } from '@svc/client'
import {
  encodeTaskText,
  formatTaskId,
  hashTaskText,
  parseTaskId,
  parseTaskTerms,
  type SigningContext,
  SvcError,
  sanitizeText,
  type TaskTerms,
} from '@svc/protocol'
import type { Grant } from '@svc/protocol/internal/grants'
import { taskText } from '@svc/protocol/internal/tasks'
import { createSignatureVerifier } from '@svc/protocol/negotiation'
import type { ThreadSubject } from '@svc/protocol/talk'
import type { BundleKind, ExpectedBundle, WorkFile } from '@svc/protocol/work'
import {
  connectNotifier,
  connectStore,
  createTalk,
  ensureKeys,
  fetchBundle,
  findBriefFiles,
  findKnownReaders,
  issueReceipt,
  listBriefs,
  openMailbox,
  type TalkThread,
  uploadBundle,
} from '@svc/work'
import { createKeyFolder, createMailFolder, exportBundle, sealIntoOutbox } from '@svc/work/folder'
import { type Address, getAddress, type Hex, isAddressEqual, type LocalAccount } from 'viem'
import type { ChainAccess } from './owner.ts'
import type { ActRequest, ActResult, Signer } from './signer.ts'

export interface AgentOptions {
  grant: Grant
  /** The process that holds the session key: this one never sees it. */
  signer: Signer
  /** Holds the reading keys, what was sealed, and the files of each task. Only the keys cannot be fetched again. */
  folder: string
  chain: ChainAccess
  /** How often the inbox is asked. */
  pollMs?: number
  /** Unix seconds. */
  now?: () => number
}

/** A task as the chain fixes it: its text is what the terms name. */
export interface CheckedTask extends TaskDetailJson {
  checkedTerms: TaskTerms
}

/** Text and files that the other side sent. */
export interface ReceivedWork {
  untrustedText: string
  /** A folder of this machine, from which nothing is ever sent. */
  folder: string
  files: readonly { untrustedName: string; path: string }[]
}

/** An action went over a limit, or the chain refused it. */
export class LimitError extends SvcError {
  override name = 'LimitError'
  readonly result: Exclude<ActResult, { status: 'confirmed' }>

  constructor(action: string, result: LimitError['result']) {
    super('LIMIT', `${action} is ${result.status}: ${result.limit}, ${result.left}.`, {
      ...(result.status === 'needsApproval' && { hint: `A person can approve it at ${result.approvalUrl}` }),
    })
    this.result = result
  }
}

const keyFolder = (folder: string) => createKeyFolder(join(folder, 'keys'))

/** Creates the reading keys of an agent: its owner signs the statement that makes them known. They open what others send to the account. */
export async function signInAgent(
  { apiUrl, chainId, account }: Pick<Grant, 'apiUrl' | 'chainId' | 'account'>,
  { folder, owner, chain }: { folder: string; owner: LocalAccount; chain: ChainAccess },
): Promise<void> {
  await ensureKeys({
    wallet: account,
    keyStore: keyFolder(folder),
    domain: new URL(apiUrl).host,
    chainId,
    now: Math.floor(Date.now() / 1_000),
    verifySignature: createSignatureVerifier(({ address, hash, signature }) =>
      chain.verifyHash({ address, hash, signature }),
    ),
    signMessage: (message) => owner.signMessage({ message }),
  })
}

/** Everything that jobs and orders share. */
export type AgentPlace = Awaited<ReturnType<typeof openAgentPlace>>

/** Connects to the market of a grant. Throws OTHER_CONTRACTS if its API names other contracts than the grant. */
export async function openAgentPlace(options: AgentOptions) {
  const { grant, signer, folder, chain, pollMs = 2_000, now = () => Math.floor(Date.now() / 1_000) } = options
  const { account, apiUrl, chainId, market, contracts } = grant
  const api: Client<typeof apiEndpoints> = createClient(apiEndpoints, { baseUrl: apiUrl, timeoutMs: 30_000 })
  const { body: config } = await api.getSiteConfig({ market })
  if (!isAddressEqual(getAddress(config.contracts.taskRegistry), contracts.taskRegistry) || config.chainId !== chainId)
    throw new SvcError('OTHER_CONTRACTS', `${apiUrl} names other contracts than the grant.`)
  if (!config.store) throw new SvcError('NO_STORE', `${apiUrl} has no store.`)
  const domain = new URL(apiUrl).host
  const verifySignature = createSignatureVerifier(({ address, hash, signature }) =>
    chain.verifyHash({ address, hash, signature }),
  )
  const keys = await ensureKeys({
    wallet: account,
    keyStore: keyFolder(folder),
    domain,
    chainId,
    now: now(),
    verifySignature,
    signMessage: () => {
      throw new SvcError('NOT_SIGNED_IN', `${folder} has no reading keys of ${account}.`, {
        hint: 'svc-agent grant makes them.',
      })
    },
  })
  const store = connectStore({
    baseUrl: new URL(config.store.url, apiUrl).href,
    address: getAddress(config.store.address),
    keys,
    now,
  })
  if (keys.statement) await store.calls.putStatement(keys.statement)
  const notifier =
    config.notifier &&
    connectNotifier({ baseUrl: new URL(config.notifier.url, apiUrl).href.replace(/\/notify\/?$/, ''), keys, now })
  const mailbox = openMailbox({
    store,
    checks: { domain, chainId, verifySignature },
    now,
    log: createMailFolder(join(folder, 'mail'), account, store.address),
  })
  const talk = createTalk(mailbox)
  const context: SigningContext = { chainId, market, taskRegistry: contracts.taskRegistry, asset: contracts.tokToken }
  let minBlock = 0

  const readTask = async (id: string): Promise<CheckedTask> => {
    const { body }: Answer<{ task: TaskDetailJson }> = await api.getTask({ id, ...(minBlock > 0 && { minBlock }) })
    const { task } = body
    const checkedTerms = parseTaskTerms(task.terms)
    if (task.text) {
      const { canonical, criteria, ...others } = task.text
      const published = canonical ? encodeTaskText(taskText.parse({ criteria, ...others })) : criteria
      if (hashTaskText(published) !== checkedTerms.criteriaHash)
        throw new SvcError('WRONG_TEXT', `The API shows another text of ${id} than its terms name.`)
    }
    return { ...task, checkedTerms }
  }

  const act = async (action: string, input: Record<string, unknown>): Promise<void> => {
    const request: ActRequest = { action, input }
    const result = await signer.act(request)
    if (result.status !== 'confirmed') throw new LimitError(action, result)
    minBlock = Math.max(minBlock, result.blockNumber)
  }

  const findStatement = ({ text, poster }: CheckedTask) =>
    text?.statement
      ? {
          wallet: getAddress(poster),
          statement: { message: text.statement.message, signature: text.statement.signature as Hex },
        }
      : null

  /** Seals text and files for both sides and sends them to the store, which signs for a delivery. */
  const sendBundle = async (
    task: CheckedTask,
    kind: BundleKind,
    { text, files }: { text: string; files: readonly WorkFile[] },
  ) => {
    const { id, poster, worker, currentMilestone: milestone, revisions: revision } = task
    const published = findStatement(task)
    const parties = [poster, worker].flatMap((each) => (each ? [getAddress(each)] : []))
    const checks = { domain, chainId, verifySignature, published, now: now() }
    const { readers } = await findKnownReaders(store, parties, checks)
    const sealed = await sealIntoOutbox(join(folder, 'sealed'), {
      subject: {
        kind,
        chainId,
        registry: contracts.taskRegistry,
        taskId: parseTaskId(id),
        milestone,
        revision,
        author: account,
      },
      text,
      files,
      readers,
    })
    await uploadBundle(store, sealed, { readPart: sealed.readPart })
    const needsReceipt = kind === 'delivery' && task.store !== null
    if (needsReceipt && published) await store.calls.putStatement(published.statement).catch(() => null)
    const receipt = needsReceipt ? await issueReceipt(store, sealed, { context, verifySignature, now: now() }) : null
    await sealed.release()
    return { hash: sealed.hash, receipt }
  }

  const locate = (id: string, box: 'inbox' | 'outbox') => join(folder, 'work', id.replaceAll(':', '-'), box)

  /** Fetches a bundle of the other side, checks it against the chain, and saves its files into the inbox of its task. */
  const receive = async (expected: ExpectedBundle): Promise<ReceivedWork> => {
    const bundle = await fetchBundle(store, expected)
    const target = join(locate(formatTaskId(expected.taskId), 'inbox'), expected.hash.slice(2, 14))
    const isThere = await access(target).then(
      () => true,
      () => false,
    )
    if (!isThere) await exportBundle(bundle, target, { withIdentity: false })
    const saved = join(target, 'files')
    return {
      untrustedText: clean(bundle.manifest.text),
      folder: saved,
      files: bundle.manifest.files.map(({ name }) => ({ untrustedName: clean(name), path: join(saved, name) })),
    }
  }

  const receiveOnChain = async (task: CheckedTask, kind: 'delivery' | 'revision'): Promise<ReceivedWork | null> => {
    const found = task.bundles.findLast((each) => each.kind === kind)
    if (!found) return null
    const { milestone, revision } = found
    const [author, hash] = [getAddress(found.author), found.hash as Hex]
    return receive({
      chainId,
      registry: contracts.taskRegistry,
      taskId: parseTaskId(task.id),
      kind,
      milestone,
      revision,
      author,
      hash,
    })
  }

  const buildSubject = (
    { id, poster }: Pick<CheckedTask, 'id' | 'poster'>,
    other: Address = account,
  ): ThreadSubject => ({
    chainId,
    taskRegistry: contracts.taskRegistry,
    taskId: id,
    poster: getAddress(poster),
    other,
  })

  /** Receives the last brief that the poster announced in the conversation, and the files for everyone that the text names. */
  const receiveBrief = async (task: CheckedTask): Promise<ReceivedWork | null> => {
    const { thread } = await readThread(task)
    const poster = getAddress(task.poster)
    const announced = thread.messages
      .flatMap(({ message }) => (message.type === 'Brief' && message.sender === poster ? [message.payload.hash] : []))
      .at(-1)
    const subject = { chainId, registry: contracts.taskRegistry, taskId: parseTaskId(task.id) }
    const briefs = await listBriefs(store, subject, [poster])
    const named = (task.text?.files ?? []).filter(({ sha256 }) => sha256 !== undefined)
    const published = new Set((await findBriefFiles(store, briefs, named)).map(({ hash }) => hash))
    const meant = briefs.filter(({ hash }) => hash === announced || published.has(hash))
    const received = await Promise.all(meant.map(receive))
    const main = received[meant.findIndex(({ hash }) => hash === announced)] ?? received[0]
    return main ? { ...main, files: received.flatMap(({ files }) => files) } : null
  }

  const readThread = async (task: Pick<CheckedTask, 'id' | 'poster'>, other?: Address): Promise<TalkThread> => {
    await talk.mailbox.sync()
    return talk.readThread(buildSubject(task, other))
  }

  let cursor: string | null = null
  let waiting: Promise<void> | null = null
  const poll = async () => {
    for (let tries = 0; tries < pollsPerLook; tries++) {
      await new Promise((resolve) => setTimeout(resolve, pollMs))
      if (!notifier) return
      const { body } = await notifier.listNotifications(cursor === null ? { limit: 1 } : { since: cursor })
      const isFirst = cursor === null
      cursor = body.cursor
      if (isFirst || body.notifications.length > 0) return
    }
  }

  await mkdir(folder, { recursive: true, mode: 0o700 })
  return {
    ...options,
    api,
    store,
    talk,
    context,
    readTask,
    listActions: async (id: string) => {
      const { body } = await api.listSteps({ id, address: account })
      return body.steps.map(({ action }) => action)
    },
    act,
    /** What a read must have seen: the last own transaction. */
    atLeast: () => (minBlock > 0 ? { minBlock } : {}),
    sendBundle,
    receiveOnChain,
    receiveBrief,
    readThread,
    buildSubject,
    locate,
    /** Waits for the next notification. Without one it still returns after a while: what time alone changes has none. */
    wake: () => {
      waiting ??= poll().finally(() => {
        waiting = null
      })
      return waiting
    },
  }
}

/** After so many quiet polls everything is looked at again. */
const pollsPerLook = 5

/** Text of others without what a person would not see. */
export const clean = (text: string): string => sanitizeText(text, { mark: '', strict: true })
