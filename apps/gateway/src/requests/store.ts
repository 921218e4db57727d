import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { awayError } from '@svc/serve'
import { isWatched, type StoredRequest, storedRequest } from './request.ts'

/** Prepared requests, in memory and in one file. */
export interface Store {
  get: (id: string) => StoredRequest | null
  /** The one request that a receipt stands for, by what the receipt signs. */
  ofReceipt: (digest: string) => StoredRequest | null
  all: () => Iterable<StoredRequest>
  /**
   * Keeps a request as it is now; where `was` is given, only if it still is what it was then. Settles when it is on the disk.
   * Refuses a new one when there are too many open.
   */
  put: (request: StoredRequest, was?: StoredRequest) => Promise<void>
  /** Settles when the request changes, or after so long, or when the signal says so. */
  changed: (id: string, ms: number, signal: AbortSignal) => Promise<void>
  close: () => Promise<void>
}

export interface StoreOptions {
  file: string
  /** So many requests are kept; beyond that those that are over for good are forgotten, the oldest first. */
  maxRequests?: number
  now?: () => number
}

/**
 * Opens the file, or makes it. Each line is one request as it was at some moment, so the last line of an id stands and a line
 * that was cut off loses nothing but itself. Changes are appended and synced; the file is written anew, under another name
 * and then renamed, when most of it is history.
 */
export async function openStore({ file, maxRequests = 20_000, now = Date.now }: StoreOptions): Promise<Store> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  const requests = new Map((await readLines(file)).map((request) => [request.id, request]))
  const receipts = new Map<string, string>()
  const waiting = new Map<string, Set<() => void>>()
  for (const { id, receipt } of requests.values()) if (receipt) receipts.set(receipt.digest, id)
  let handle = await rewrite()
  let lines = requests.size
  let isTorn = false
  let next: { text: string; done: Promise<void> } | null = null
  let writing: Promise<unknown> = Promise.resolve()

  return {
    get: (id) => requests.get(id) ?? null,
    ofReceipt: (digest) => requests.get(receipts.get(digest) ?? '') ?? null,
    all: () => requests.values(),
    async put(request, was) {
      const { id, receipt } = request
      const before = requests.get(id)
      if (was && before !== was) return
      if (!before) makeRoom()
      requests.set(id, request)
      if (receipt) receipts.set(receipt.digest, id)
      await append(`${JSON.stringify(request)}\n`).catch((error: unknown) => {
        // What is not on the disk has not happened.
        if (requests.get(id) === request) before ? requests.set(id, before) : requests.delete(id)
        throw error
      })
      for (const wake of waiting.get(id) ?? []) wake()
    },
    changed: (id, ms, signal) =>
      new Promise((done) => {
        const waiters = waiting.get(id) ?? new Set()
        const wake = () => {
          clearTimeout(timeout)
          signal.removeEventListener('abort', wake)
          waiters.delete(wake)
          if (waiters.size === 0) waiting.delete(id)
          done()
        }
        const timeout = setTimeout(wake, ms)
        signal.addEventListener('abort', wake)
        waiters.add(wake)
        waiting.set(id, waiters)
        if (signal.aborted) wake()
      }),
    async close() {
      await writing.catch(() => {})
      await handle.close()
    },
  }

  /** What is asked to be written while another write is on its way goes with one write and one sync. */
  function append(line: string): Promise<void> {
    if (next) {
      next.text += line
      return next.done
    }
    const batch = { text: line, done: Promise.resolve() }
    next = batch
    batch.done = writing.then(
      () => flush(batch),
      () => flush(batch),
    )
    writing = batch.done
    return batch.done
  }

  async function flush(batch: { text: string }): Promise<void> {
    next = null
    try {
      // A write that failed may have left half a line.
      await handle.appendFile(isTorn ? `\n${batch.text}` : batch.text)
      await handle.datasync()
      isTorn = false
    } catch {
      isTorn = true
      throw awayError('BUSY', 'The request could not be kept.')
    }
    lines += batch.text.split('\n').length - 1
    if (lines > 1_000 && lines > 4 * requests.size) {
      const old = handle
      handle = await rewrite()
      lines = requests.size
      await old.close()
    }
  }

  async function rewrite() {
    const temporary = `${file}.new`
    const fresh = await open(temporary, 'w', 0o600)
    await fresh.writeFile([...requests.values()].map((request) => `${JSON.stringify(request)}\n`).join(''))
    await fresh.sync()
    await rename(temporary, file)
    const folder = await open(dirname(file), 'r')
    await folder.sync().finally(() => folder.close())
    return fresh
  }

  function makeRoom(): void {
    if (requests.size < maxRequests) return
    for (const request of requests.values()) {
      if (isWatched(request, now())) continue
      requests.delete(request.id)
      if (request.receipt) receipts.delete(request.receipt.digest)
      if (requests.size < maxRequests) return
    }
    throw awayError('BUSY', 'Too many requests are open here.', 60)
  }
}

/** The last state of every request in the file; lines that cannot be read are as if they had never been written. */
async function readLines(file: string): Promise<StoredRequest[]> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const found = new Map<string, StoredRequest>()
  for (const line of text.split('\n')) {
    const request = readLine(line)
    if (request) found.set(request.id, request)
  }
  return [...found.values()]
}

function readLine(line: string): StoredRequest | null {
  try {
    return storedRequest.parse(JSON.parse(line))
  } catch {
    return null
  }
}
