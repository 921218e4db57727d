import { operations, ServiceError } from '@svc/operations'
import { formatTaskId, type TaskId } from '@svc/protocol'
import { mailLimits } from '@svc/protocol/internal/talk'
import { findWidestNetwork, implementCalls } from '@svc/serve'
import type { Address } from 'viem'
import type { StoreDeps } from '../deps.ts'
import { MailboxFullError, type Newcomer } from '../records/mail.ts'
import type { TaskFacts } from '../taskAccess.ts'

const implement = implementCalls<StoreDeps>()

export const postMail = implement(operations.postMail)(async (given, deps, { headers, client }) => {
  const { to, id, task, applies, asks, sealed } = given
  const sender = await deps.sessions.require(headers)
  const bytes = Buffer.from(sealed, 'base64')
  if (bytes.length > mailLimits.sealedBytes) {
    throw new ServiceError('MAIL_TOO_LARGE', `A sealed message has at most ${mailLimits.sealedBytes} bytes.`)
  }
  const sharesTask = task !== undefined && (await shareTask(deps, task, [sender, to]))
  const isKnown = sharesTask || sender === to || (await deps.mail.mayAnswer(sender, to))
  if (!isKnown && !(await deps.hasDeposit(sender))) {
    throw new ServiceError('MAIL_DEPOSIT_REQUIRED', `${sender} has no deposit above the pause threshold.`, {
      hint: 'Add to the deposit, or wait until the other wallet writes first.',
    })
  }
  const isNewcomer = !isKnown && (await deps.isEstablished(sender)) === false
  const open = applies ?? (isNewcomer ? asks : undefined)
  const openTask = open && !isKnown && (await isOpenTaskOf(deps, open, to)) ? formatTaskId(open) : null
  if (isNewcomer && !openTask) {
    throw new ServiceError('MAIL_DEPOSIT_REQUIRED', `The deposit of ${sender} was not there for 24 hours.`, {
      hint: 'Until then, ask and apply for open tasks: name the task in `asks` or `applies`.',
    })
  }
  await deps.room.take(sender, client, (bytes.length + mailLimits.rowBytes) * (sender === to ? 1 : 2))
  const newcomer = isNewcomer && openTask ? { task: openTask, network: findWidestNetwork(client) } : null
  const appliesFor = applies ? openTask : null
  const mail = { sender, recipient: to, id, sealed: bytes, sharesTask, appliesFor, newcomer }
  return deps.mail.post(mail).catch(async (error: unknown) => {
    if (!(error instanceof MailboxFullError) || !(await makeRoom(deps, to, newcomer))) throw error
    return deps.mail.post(mail)
  })
})

/** How many strangers are looked at when a mailbox is full. */
const looked = 32

/** Takes the places of strangers whose deposit has gone: one deposit that is passed on must not fill a mailbox. */
async function makeRoom({ mail, hasDeposit }: StoreDeps, wallet: Address, newcomer: Newcomer | null): Promise<boolean> {
  const waiting = newcomer ? await mail.listNewcomers(newcomer.task) : await mail.listWaiting(wallet)
  // The oldest of strangers. Of newcomers all are few enough, and the newest of the largest network gives way if all have a deposit.
  const seen = newcomer ? waiting : waiting.slice(0, looked)
  const deposits = await Promise.all(seen.map(hasDeposit))
  const gone = seen.filter((_, index) => !deposits[index])
  if (gone.length > 0) await mail.removeWaiting(wallet, gone)
  return gone.length > 0 || (newcomer !== null && (await mail.removeCrowding(wallet, newcomer)))
}

export const listMail = implement(operations.listMail)(async ({ after }, deps, { headers }) => {
  const wallet = await deps.sessions.require(headers)
  const { items, hasMore, restarted } = await deps.mail.list(wallet, parseCursor(after))
  const last = items.at(-1)
  const cursor = last ? `${last.number}.${last.id.slice(2)}` : restarted ? null : (after ?? null)
  return {
    items: items.map((item) => ({ ...item, sealed: Buffer.from(item.sealed).toString('base64') })),
    cursor,
    hasMore,
    restarted,
  }
})

export const listBlocked = implement(operations.listBlocked)(async (_, deps, { headers }) => ({
  blocked: await deps.mail.listBlocked(await deps.sessions.require(headers)),
}))

export const blockSender = implement(operations.blockSender)(async ({ wallet }, deps, { headers, client }) => {
  const owner = await deps.sessions.require(headers)
  await deps.room.take(owner, client, mailLimits.rowBytes)
  return { blocked: await deps.mail.block(owner, wallet) }
})

export const allowSender = implement(operations.allowSender)(async ({ wallet }, deps, { headers, client }) => {
  const owner = await deps.sessions.require(headers)
  await deps.room.take(owner, client, mailLimits.rowBytes)
  await deps.mail.allow(owner, wallet)
  return { wallet }
})

export const unblockSender = implement(operations.unblockSender)(async ({ wallet }, deps, { headers }) => ({
  blocked: await deps.mail.unblock(await deps.sessions.require(headers), wallet),
}))

/** Whether two wallets are the poster and the worker of a task. */
async function shareTask({ tasks }: StoreDeps, taskId: TaskId, wallets: readonly Address[]): Promise<boolean> {
  const allows = ({ task: { poster, worker } }: TaskFacts) =>
    wallets.includes(poster) && worker !== null && wallets.includes(worker)
  return allows(await tasks.readRecentTask(taskId, allows))
}

/** Whether a wallet posted a task that nobody has claimed. */
async function isOpenTaskOf({ tasks }: StoreDeps, taskId: TaskId, poster: Address): Promise<boolean> {
  const allows = ({ task }: TaskFacts) => task.poster === poster && task.state === 'POSTED'
  return allows(await tasks.readRecentTask(taskId, allows))
}

function parseCursor(text: string | undefined) {
  const [number = '', id = ''] = text?.split('.') ?? []
  return text === undefined ? null : { number: Number(number), id: `0x${id}` as const }
}
