import { operations, ServiceError } from '@svc/operations'
import { formatTaskId, type TaskId } from '@svc/protocol'
import { mailLimits } from '@svc/protocol/internal/talk'
import { implementCalls } from '@svc/serve'
import type { Address } from 'viem'
import type { StoreDeps } from '../deps.ts'
import { MailboxFullError } from '../records/mail.ts'

const implement = implementCalls<StoreDeps>()

export const postMail = implement(operations.postMail)(async ({ to, id, task, applies, sealed }, deps, { headers }) => {
  const sender = await deps.sessions.require(headers)
  const bytes = Buffer.from(sealed, 'base64')
  if (bytes.length > mailLimits.sealedBytes) {
    throw new ServiceError('MAIL_TOO_LARGE', `A sealed message has at most ${mailLimits.sealedBytes} bytes.`)
  }
  const sharesTask = task !== undefined && (await shareTask(deps, task, [sender, to]))
  const isKnown = sharesTask || sender === to || (await deps.mail.mayAnswer(sender, to))
  if (!isKnown && !(await deps.hasDeposit(sender))) {
    throw new ServiceError('MAIL_DEPOSIT_REQUIRED', `${sender} has no deposit above the pause threshold.`, {
      hint: 'Top up the deposit, or wait until the other wallet writes first.',
    })
  }
  const appliesFor = applies && !isKnown && (await isOpenTaskOf(deps, applies, to)) ? formatTaskId(applies) : null
  const mail = { sender, recipient: to, id, sealed: bytes, sharesTask, appliesFor }
  return deps.mail.post(mail).catch(async (error: unknown) => {
    if (!(error instanceof MailboxFullError) || !(await makeRoom(deps, to))) throw error
    return deps.mail.post(mail)
  })
})

/** How many strangers are looked at when a mailbox is full. */
const looked = 32

/** Takes the places of strangers whose deposit has gone: one deposit that is passed on must not fill a mailbox. */
async function makeRoom({ mail, hasDeposit }: StoreDeps, wallet: Address): Promise<boolean> {
  const oldest = (await mail.listWaiting(wallet)).slice(0, looked)
  const deposits = await Promise.all(oldest.map(hasDeposit))
  const gone = oldest.filter((_, index) => !deposits[index])
  if (gone.length > 0) await mail.removeWaiting(wallet, gone)
  return gone.length > 0
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

export const blockSender = implement(operations.blockSender)(async ({ wallet }, deps, { headers }) => ({
  blocked: await deps.mail.block(await deps.sessions.require(headers), wallet),
}))

export const allowSender = implement(operations.allowSender)(async ({ wallet }, deps, { headers }) => {
  await deps.mail.allow(await deps.sessions.require(headers), wallet)
  return { wallet }
})

export const unblockSender = implement(operations.unblockSender)(async ({ wallet }, deps, { headers }) => ({
  blocked: await deps.mail.unblock(await deps.sessions.require(headers), wallet),
}))

/** Whether two wallets are the poster and the worker of a task. */
async function shareTask({ tasks }: StoreDeps, taskId: TaskId, wallets: readonly Address[]): Promise<boolean> {
  const { task } = await tasks.readRecentTask(taskId)
  return wallets.includes(task.poster) && task.worker !== null && wallets.includes(task.worker)
}

/** Whether a wallet posted a task that nobody has claimed. */
async function isOpenTaskOf({ tasks }: StoreDeps, taskId: TaskId, poster: Address): Promise<boolean> {
  const { task } = await tasks.readRecentTask(taskId)
  return task.poster === poster && task.state === 'POSTED'
}

function parseCursor(text: string | undefined) {
  const [number = '', id = ''] = text?.split('.') ?? []
  return text === undefined ? null : { number: Number(number), id: `0x${id}` as const }
}
