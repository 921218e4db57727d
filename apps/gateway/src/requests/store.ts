import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { dirname } from 'node:path'
import { unavailable } from '@svc/operations'
import { isWatched, type StoredRequest, storedRequest } from './request.ts'

/** Prepared requests, in memory and in one file. */
export interface Store {
  get: (id: string) => StoredRequest | null
  /** The request that belongs to a receipt, by the receipt's digest. */
  ofReceipt: (digest: string) => StoredRequest | null
  all: () => Iterable<StoredRequest>
  /**
   * Stores a request; if `was` is given, only if the stored one is unchanged since. Resolves when it is on disk. Rejects a new
   * request if too many are open.
   */
  put: (request: StoredRequest, was?: StoredRequest) => Promise<void>
  /** Resolves when the request changes, after the given time, or when the signal aborts. */
  changed: (id: string, ms: number, signal: AbortSignal) => Promise<void>
  close: () => Promise<void>
}

export interface StoreOptions {
  file: string
  /** Maximum number of stored requests. Beyond that, final ones are deleted, oldest first. */
  maxRequests?: number
  now?: () => number
}

/**
 * Opens or creates the file. Each line is one version of a request: the last line of an id wins, and a truncated line loses
 * only itself. Changes are appended and synced. When most lines are outdated, the file is rewritten under another name and
 * renamed.
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
        // Undo a change that did not reach the disk.
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

  /** Changes that arrive during a write share the next write and sync. */
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
      // A failed write may have left half a line.
      await handle.appendFile(isTorn ? `\n${batch.text}` : batch.text)
      await handle.datasync()
      isTorn = false
    } catch {
      isTorn = true
      throw unavailable('BUSY', 'The request could not be stored. Try again.')
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
    throw unavailable('BUSY', 'Too many requests are open here.', 60)
  }
}

/** Reads the last version of every request in the file. Unreadable lines are skipped. */
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
