import { mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { unavailable } from '@svc/operations'
import { importOldFile } from './importOldFile.ts'
import { graceMs, type StoredRequest, storedRequest } from './request.ts'

/** Prepared requests in one file, which several gateways can use at the same time. */
export interface Store {
  get: (id: string) => StoredRequest | null
  /** The request that belongs to a receipt, by the receipt's digest. */
  ofReceipt: (digest: string) => StoredRequest | null
  all: () => Iterable<StoredRequest>
  /** Stores a new request. Returns the stored one: another gateway may have prepared the same receipt. Rejects if too many are open. */
  add: (request: StoredRequest) => Promise<StoredRequest>
  /**
   * Replaces a request if nobody has changed it since `was`, and if no other request has its proof. Returns whether it did.
   * Resolves when the change is on disk.
   */
  replace: (was: StoredRequest, request: StoredRequest) => Promise<boolean>
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

/** How long a write waits for the one of another process. A write takes milliseconds. */
const busyMs = 5_000

/** `change` counts up with every change, so that each process finds what others have changed. Numbers are never used twice. */
const schema = `
  create table if not exists counter (name text primary key, value integer not null) strict;
  insert or ignore into counter values ('change', 0);
  create table if not exists request (
    number integer primary key,
    id text not null unique,
    receipt text unique,
    proof text unique,
    expires_at integer not null,
    change integer not null unique,
    body text not null
  ) strict`

type Row = { change: number; body: string }

/** A change that waits for the next transaction. */
interface Write {
  run: () => unknown
  resolve: (result: unknown) => void
  reject: (error: unknown) => void
}

/**
 * Opens or creates the file, a SQLite database with a write-ahead log. Requests are also in memory, and what another process has
 * changed is read before every use. Imports the file of an earlier version if there is one.
 */
export async function openStore({ file, maxRequests = 20_000, now = Date.now }: StoreOptions): Promise<Store> {
  await mkdir(dirname(file), { recursive: true, mode: 0o700 })
  // SQLite gives its other files the mode of this one.
  await open(file, 'a', 0o600).then((created) => created.close())
  const database = new DatabaseSync(file, { timeout: busyMs })
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  database.exec(schema)
  const statements = {
    changes: database.prepare('select change, body from request where change > ? order by number'),
    ids: database.prepare('select id from request'),
    current: database.prepare('select change from request where id = ?'),
    nextChange: database.prepare("update counter set value = value + 1 where name = 'change' returning value"),
    count: database.prepare('select count(*) as count from request'),
    receipt: database.prepare('select change, body from request where receipt = ?'),
    proof: database.prepare('select 1 from request where proof = ? and id <> ?'),
    insert: database.prepare(
      'insert into request (id, receipt, proof, expires_at, change, body) values (?, ?, ?, ?, ?, ?)',
    ),
    update: database.prepare('update request set proof = ?, expires_at = ?, change = ?, body = ? where id = ?'),
    remove: database.prepare(
      'delete from request where number in (select number from request where expires_at <= ? order by number limit ?)',
    ),
  }
  const requests = new Map<string, { request: StoredRequest; change: number }>()
  const receipts = new Map<string, string>()
  const waiting = new Map<string, Set<() => void>>()
  let lastChange = 0
  let queued: Write[] = []

  const store: Store = {
    get(id) {
      refresh()
      return requests.get(id)?.request ?? null
    },
    ofReceipt(digest) {
      refresh()
      return requests.get(receipts.get(digest) ?? '')?.request ?? null
    },
    all() {
      refresh()
      return Array.from(requests.values(), ({ request }) => request)
    },
    add: (request) =>
      write(() => {
        const known = request.receipt && (statements.receipt.get(request.receipt.digest) as Row | undefined)
        if (known) return parseBody(known)
        makeRoom()
        insert(request)
        return request
      }),
    replace: (was, request) =>
      write(() => {
        const known = requests.get(was.id)
        const current = statements.current.get(was.id) as { change: number } | undefined
        if (known?.request !== was || current?.change !== known.change) return false
        const proof = formatProof(request)
        if (proof && statements.proof.get(proof, request.id)) return false
        const { expiresAt, id } = request
        statements.update.run(proof, expiresAt, nextChange(), JSON.stringify(request), id)
        return true
      }),
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
      // Writes of this moment are committed first.
      await write(() => {}).catch(() => {})
      database.close()
    },
  }
  await importOldFile(file, (found) =>
    write(() => {
      for (const request of found) if (!statements.current.get(request.id)) insert(request)
    }),
  )
  refresh()
  return store

  /** Takes over what was changed since the last time, here or in another process. */
  function refresh(): void {
    const rows = statements.changes.all(lastChange) as Row[]
    for (const row of rows) {
      const request = parseBody(row)
      requests.set(request.id, { request, change: row.change })
      if (request.receipt) receipts.set(request.receipt.digest, request.id)
      lastChange = Math.max(lastChange, row.change)
      for (const wake of waiting.get(request.id) ?? []) wake()
    }
    // Deleted rows are not among the changes. They are final, so that it is enough to forget them in time.
    if (requests.size > maxRequests) forgetDeleted()
  }

  function forgetDeleted(): void {
    const ids = new Set((statements.ids.all() as { id: string }[]).map(({ id }) => id))
    for (const [id, { request }] of requests) {
      if (ids.has(id)) continue
      requests.delete(id)
      if (request.receipt) receipts.delete(request.receipt.digest)
    }
  }

  /** Runs a change in the next transaction. Changes of one moment share a transaction, and so a sync to disk. */
  function write<T>(run: () => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      if (queued.length === 0) setImmediate(commit)
      queued.push({ run, resolve: (result) => resolve(result as T), reject })
    })
  }

  function commit(): void {
    const writes = queued
    queued = []
    const ends: (() => void)[] = []
    try {
      database.exec('begin immediate')
      for (const { run, resolve, reject } of writes) {
        try {
          const result = run()
          ends.push(() => resolve(result))
        } catch (error) {
          ends.push(() => reject(error))
        }
      }
      database.exec('commit')
      refresh()
    } catch {
      if (database.isTransaction) database.exec('rollback')
      for (const { reject } of writes) reject(unavailable('BUSY', 'The request could not be stored. Try again.'))
      return
    }
    for (const end of ends) end()
  }

  function insert(request: StoredRequest): void {
    const { id, receipt, expiresAt } = request
    statements.insert.run(
      id,
      receipt?.digest ?? null,
      formatProof(request),
      expiresAt,
      nextChange(),
      JSON.stringify(request),
    )
  }

  function nextChange(): number {
    return (statements.nextChange.get() as { value: number }).value
  }

  function makeRoom(): void {
    const count = () => (statements.count.get() as { count: number }).count
    const surplus = count() - maxRequests + 1
    if (surplus <= 0) return
    statements.remove.run(now() - graceMs, surplus)
    forgetDeleted()
    if (count() >= maxRequests) throw unavailable('BUSY', 'Too many requests are open here.', 60)
  }
}

const parseBody = ({ body }: Row): StoredRequest => storedRequest.parse(JSON.parse(body))

/** A log proves one request only, whichever gateway finds it. */
const formatProof = ({ outcome }: StoredRequest): string | null =>
  outcome && outcome.logIndex !== null ? `${outcome.transaction} ${outcome.logIndex}` : null
