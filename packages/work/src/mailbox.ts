import { ApiError } from '@svc/client'
import { formatTaskId, SvcError, type TaskId } from '@svc/protocol'
import { hashMailLine, mailLimits } from '@svc/protocol/internal/talk'
import { MessageRefusedError } from '@svc/protocol/negotiation'
import { formatMailLine, type MailMessage, openMail, parseMailLine, sealMail } from '@svc/protocol/talk'
import { type Address, getAddress, isAddress, isAddressEqual } from 'viem'
import { type DeviceKeys, listIdentities } from './deviceKeys.ts'
import { type FindReadersOptions, findReaders, listCheckedStatements } from './findReaders.ts'
import type { StoreConnection } from './storeConnection.ts'

/** A message from a mailbox, opened. Its signature is not verified yet. */
export interface MailItem {
  message: MailMessage
  /** The line that was sealed. */
  line: string
  /** The wallet whose session posted it, says the store. */
  from: Address
  /** Unix seconds, says the store. */
  postedAt: number
  /** Whom this device sent it to; missing for other messages. */
  to?: readonly Address[] | undefined
  /** The task that the sender named as one that both share. */
  task?: string | undefined
  /** Kept on this device only: whom it is for had no reading key. It is posted at a later `sync`. */
  isWaiting?: boolean | undefined
}

/** What a device has read and sent. Without it, a store that was restored from a backup could make an author write twice. */
export interface MailLog {
  load: () => Promise<SavedMail>
  /** Appends items and moves the cursor. */
  append: (items: readonly SavedItem[], cursor: string | null) => Promise<void>
}

/** A message as a log keeps it. A message of this device is saved when it is sent, and once more when the mailbox shows it. */
export interface SavedItem extends Pick<MailItem, 'line' | 'from' | 'postedAt' | 'to' | 'task' | 'isWaiting'> {}

export interface SavedMail {
  cursor: string | null
  items: readonly SavedItem[]
}

export interface MailboxOptions {
  /** A connection with the keys of the wallet. */
  store: StoreConnection
  /** How statements are checked: the domain and chain of the market. */
  checks: Omit<FindReadersOptions, 'now'>
  /** Unix seconds. */
  now: () => number
  /** By default in memory: then everything is read again at the next start. */
  log?: MailLog
}

/** A wallet's mailbox. */
export interface Mailbox {
  wallet: Address
  keys: DeviceKeys
  checks: Omit<FindReadersOptions, 'now'>
  /** Unix seconds. */
  now: () => number
  /**
   * Reads what is new, or with `again` everything from the start. Sends own messages again that the store has lost. Returns what
   * arrived, and how many items could not be opened.
   */
  sync: (options?: { again?: boolean }) => Promise<{ arrived: readonly MailItem[]; unreadable: number }>
  /** Lists everything that was read or sent, oldest first. */
  list: () => Promise<readonly MailItem[]>
  /**
   * Seals and posts a message. Sending the same again adds nothing. `task` is one that both share as poster and worker. If a
   * recipient has no reading key yet, the message waits on this device, and `sync` posts it once there is one.
   */
  send: (message: MailMessage, to: readonly Address[], task?: TaskId) => Promise<void>
  /** Lists whom messages of this device wait for. */
  listWaiting: () => Promise<Address[]>
  listBlocked: () => Promise<Address[]>
  block: (wallet: Address) => Promise<Address[]>
  unblock: (wallet: Address) => Promise<Address[]>
  /** Lets a wallet write without the limits for strangers. */
  allow: (wallet: Address) => Promise<void>
}

/**
 * Opens the mailbox of a wallet at a store. Messages are sealed here, so the store sees only who writes to whom.
 *
 * @example
 * ```ts
 * const mailbox = openMailbox({ store, checks: { domain, chainId, verifySignature }, now })
 * const { arrived } = await mailbox.sync()
 * ```
 */
export function openMailbox({ store, checks, now, log = createMemoryMailLog() }: MailboxOptions): Mailbox {
  const { keys } = store
  if (!keys) throw new SvcError('NOT_SIGNED_IN', 'The wallet has not signed in on this device. Sign in first.')
  const wallet = keys.wallet

  const post = async (line: string, to: Address, task?: string): Promise<void> => {
    const readers = await findReaders(store, [to], { ...checks, now: now() })
    // The other devices of the wallet read its own messages too.
    const own = await listCheckedStatements(store, wallet, { ...checks, now: now() })
    const sealed = await sealMail(line, [...readers.map(({ key }) => key), ...own.map(({ readingKey }) => readingKey)])
    if (sealed.length > mailLimits.sealedBytes) {
      throw new SvcError(
        'MAIL_TOO_LARGE',
        `The sealed message has ${sealed.length} bytes; the limit is ${mailLimits.sealedBytes}.`,
      )
    }
    const id = hashMailLine(line)
    await store.calls.postMail({ to, id, sealed: toBase64(sealed), ...(task && { task }), ...findOpenTask(line) })
  }

  const list = async (): Promise<MailItem[]> => {
    const { items } = await log.load()
    const distinct = new Map<string, SavedItem>()
    for (const saved of items) if (!distinct.has(saved.line)) distinct.set(saved.line, saved)
    return [...distinct.values()].flatMap((saved) => {
      const item = parseItem(saved)
      return item ? [item] : []
    })
  }

  const sync: Mailbox['sync'] = async ({ again = false } = {}) => {
    const saved = await log.load()
    const shown = new Set(saved.items.flatMap(({ line, to }) => (to ? [] : [line])))
    const held = new Set<string>()
    const arrived: MailItem[] = []
    let [cursor, unreadable, isWhole] = [again ? null : saved.cursor, 0, again]
    for (let [hasMore, page] = [true, 0]; hasMore && page < maxPages; page++) {
      const { body } = await store.calls.listMail(cursor === null ? {} : { after: cursor })
      isWhole ||= body.restarted
      const fresh: MailItem[] = []
      for (const { sealed, from, postedAt } of body.items) {
        const item = await openItem(sealed, { from, postedAt }, keys)
        if (!item) unreadable++
        else {
          held.add(item.line)
          if (!shown.has(item.line)) fresh.push(item)
          shown.add(item.line)
        }
      }
      if (fresh.length > 0 || body.cursor !== cursor) await log.append(fresh.map(toSaved), body.cursor)
      arrived.push(...fresh)
      hasMore = body.hasMore && body.cursor !== cursor
      cursor = body.cursor
    }
    // A message of this device that the mailbox does not show was lost.
    const present = isWhole ? held : shown
    await resend(saved.items.filter(({ line, to }) => to && !present.has(line)))
    const own = new Set(saved.items.flatMap(({ line, to }) => (to ? [line] : [])))
    return { arrived: arrived.filter(({ line }) => !own.has(line)), unreadable }
  }

  /** Posts again what the store has lost. A recipient that has it already ignores it. */
  const resend = async (items: readonly SavedItem[]): Promise<void> => {
    for (const { line, to = [], task } of items) {
      for (const each of to) {
        if (isAddressEqual(each, wallet)) continue
        await post(line, each, task).catch((error: unknown) => {
          // The store may refuse it now, for example because it was a first message. The rest must not wait for that.
          if (!(error instanceof ApiError) && !isKeyMissing(error)) throw error
        })
      }
    }
  }

  return {
    wallet,
    keys,
    checks,
    now,
    sync,
    list,
    async send(message, to, task) {
      const line = formatMailLine(message)
      const named = task && formatTaskId(task)
      const waiting: Address[] = []
      for (const each of to) {
        if (isAddressEqual(each, wallet)) continue
        await post(line, each, named).catch((error: unknown) => {
          if (!isKeyMissing(error)) throw error
          waiting.push(each)
        })
      }
      const { cursor, items } = await log.load()
      const isSaved = items.some((item) => item.line === line && to.every((each) => item.to?.includes(each)))
      const isWaiting = waiting.length > 0 || undefined
      if (!isSaved) await log.append([{ line, from: wallet, postedAt: now(), to, task: named, isWaiting }], cursor)
    },
    async listWaiting() {
      const { items } = await log.load()
      // The mailbox shows what was posted.
      const posted = new Set(items.flatMap(({ line, to }) => (to ? [] : [line])))
      const waiting = items.filter(({ line, isWaiting }) => isWaiting && !posted.has(line))
      return [...new Set(waiting.flatMap(({ to = [] }) => to))]
    },
    listBlocked: async () => (await store.calls.listBlocked({})).body.blocked.map(toAddress),
    block: async (each) => (await store.calls.blockSender({ wallet: each })).body.blocked.map(toAddress),
    allow: async (each) => {
      await store.calls.allowSender({ wallet: each })
    },
    unblock: async (each) => (await store.calls.unblockSender({ wallet: each })).body.blocked.map(toAddress),
  }
}

/**
 * Creates a log that lasts as long as the program.
 *
 * @example
 * ```ts
 * const mailbox = openMailbox({ store, checks, now, log: createMemoryMailLog() })
 * ```
 */
export function createMemoryMailLog(): MailLog {
  let saved: SavedMail = { cursor: null, items: [] }
  return {
    load: async () => saved,
    append: async (items, cursor) => {
      saved = { cursor, items: [...saved.items, ...items].slice(-maxLogged) }
    },
  }
}

/** Items that a log keeps: far more than a wallet can be sent in a year by all that it answers. */
export const maxLogged = 100_000

/** The task for which a line applies or asks; nothing for any other message. */
function findOpenTask(line: string): { applies?: string; asks?: string } {
  const parsed = parseMailLine(line)
  if (!('message' in parsed)) return {}
  const { type, taskId } = parsed.message
  return type === 'Application' ? { applies: taskId } : type === 'Question' ? { asks: taskId } : {}
}

const isKeyMissing = (error: unknown): boolean => error instanceof SvcError && error.code === 'NO_READING_KEY'

/** Pages that one reading takes at most: a store that never ends its list must not keep a client busy. */
const maxPages = 2_000

/** Opens one item. Returns null for what cannot be opened or has a wrong form: anyone can post noise. */
export async function openItem(
  sealed: string,
  { from, postedAt }: { from: string; postedAt: number },
  keys: DeviceKeys,
): Promise<MailItem | null> {
  if (!isAddress(from, { strict: false })) return null
  try {
    const line = await openMail(fromBase64(sealed), listIdentities(keys))
    return { line, message: parseMailLine(line), from: getAddress(from), postedAt }
  } catch (error) {
    if (error instanceof MessageRefusedError) return null
    throw error
  }
}

function parseItem(saved: SavedItem): MailItem | null {
  try {
    return { ...saved, message: parseMailLine(saved.line) }
  } catch (error) {
    if (error instanceof MessageRefusedError) return null
    throw error
  }
}

const toSaved = ({ line, from, postedAt }: MailItem): SavedItem => ({ line, from, postedAt })
const toAddress = (text: string) => getAddress(text)

function fromBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
  } catch {
    throw new MessageRefusedError('it is not base64.')
  }
}

/** In pieces, because a call takes a limited number of arguments. */
function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 8_192) text += String.fromCharCode(...bytes.subarray(at, at + 8_192))
  return btoa(text)
}
