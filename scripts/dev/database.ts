import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chown, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import postgres from 'postgres'
import { DevError } from './devError.ts'
import { findPostgres } from './localPostgres.ts'
import type { Part } from './part.ts'

/** The database of the index, and the parts that it needs. */
export interface Database {
  url: string
  parts: readonly Part[]
}

/** Creates a database in a running server; `fresh` empties it. Throws `DevError` on failure. */
export async function databaseAt(server: string, dir: string, fresh: boolean): Promise<Database> {
  const name = `svc_dev_${createHash('sha256').update(dir).digest('hex').slice(0, 12)}`
  try {
    const sql = postgres(server, { max: 1, connect_timeout: 5, onnotice: () => {} })
    try {
      if (fresh) await sql`drop database if exists ${sql(name)} with (force)`
      const [found] = await sql`select from pg_database where datname = ${name}`
      if (!found) await sql`create database ${sql(name)}`
    } finally {
      await sql.end({ timeout: 1 })
    }
  } catch (error) {
    const { message, code } = error as NodeJS.ErrnoException
    throw new DevError(
      `The database at DATABASE_URL cannot be used: ${message || code}. It must be a server where this user may create databases; without DATABASE_URL one is started here.`,
    )
  }
  const url = new URL(server)
  url.pathname = name
  return { url: url.href, parts: [] }
}

/** Starts a separate server with its files in `folder`. */
export async function localDatabase(folder: string, port: number, path: string): Promise<Database> {
  const { bin, user } = await findPostgres(path)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  if (user) await letIn(folder, user)
  const data = join(folder, 'data')
  // Use TCP: the path of a Unix socket has a length limit that a deep folder exceeds.
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'max_connections=60']
  const common = { env: { LC_ALL: 'C' }, cwd: folder, ...(user && { user }) }
  const files: Part = {
    ...common,
    name: 'database-files',
    what: 'initdb',
    command: join(bin, 'initdb'),
    args: ['-D', data, '-U', 'postgres', '--auth=trust', '--encoding=UTF8', '--no-sync'],
    after: [],
    ready: null,
  }
  const isMade = existsSync(data)
  const server: Part = {
    ...common,
    name: 'database',
    what: 'Postgres',
    command: join(bin, 'postgres'),
    args: ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    after: isMade ? [] : [files.name],
    ready: /ready to accept connections/,
  }
  return { url: `postgres://postgres@127.0.0.1:${port}/postgres`, parts: isMade ? [server] : [files, server] }
}

async function letIn(folder: string, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  await chown(folder, uid, gid)
  await promisify(execFile)('test', ['-w', folder], { uid, gid }).catch(() => {
    throw new DevError(
      `Root runs Postgres as the user postgres, who cannot write to ${folder}. Choose another folder with --dir, or set DATABASE_URL.`,
    )
  })
}
