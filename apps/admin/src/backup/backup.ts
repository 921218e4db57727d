import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Environment, listKeptSchemas, version } from '@svc/serve'
import type { Sql } from 'postgres'
import { z } from 'zod'
import { AdminError } from '../adminError.ts'
import {
  digestAll,
  executeProgram,
  findKeptSchemas,
  listDifferences,
  listTables,
  recordMark,
  runPostgres,
  withDatabase,
} from './database.ts'
import { collectKeys, type KeySources, seal, unseal, writeKeys } from './keys.ts'

/** What a backup says of itself. Nothing in it is secret. */
const manifest = z.object({
  format: z.literal(1),
  version: z.string(),
  createdAt: z.iso.datetime(),
  schemas: z.array(z.string()),
  /** Roles that own something, and that rights were granted to. */
  roles: z.array(z.string()),
  tables: z.array(z.object({ table: z.string(), rows: z.number(), digest: z.string() })),
  keys: z.array(z.string()),
  /** Whether rows and keys are encrypted with age. */
  isSealed: z.boolean(),
})
type Manifest = z.infer<typeof manifest>

const [rowsFile, keysFile] = ['database.dump', 'keys.json'] as const

export interface BackupOptions extends KeySources {
  url: string
  file: string
  /** The public key of age that rows and keys are encrypted to; undefined: nothing is encrypted, so there are no keys. */
  recipient: string | undefined
  withKeys: boolean
}

/** Writes everything that the chain does not have to one file: rows, keys, and what they must be after a restore. */
export async function writeBackup(options: BackupOptions): Promise<Manifest> {
  const { url, file, recipient, withKeys } = options
  if (withKeys && !recipient) throw new AdminError('Keys are only written encrypted: name a recipient.')
  if (await stat(file).catch(() => null)) throw new AdminError(`${file} exists. Name another file.`)
  return withDatabase(url, (sql) =>
    withFolder(dirname(file), async (folder) => {
      const { ring, variables } = await collectKeys(options)
      if (withKeys) await requireKeys(sql, variables)
      // The dump and the digests are of one moment.
      const written = await sql.begin('isolation level repeatable read read only', async (step): Promise<Manifest> => {
        const found = await findKeptSchemas(step)
        if (found.length === 0) throw new AdminError('The database has nothing that is kept. Is it the right one?')
        const [moment] = await step<{ snapshot: string }[]>`select pg_export_snapshot() as snapshot`
        await runPostgres(
          'pg_dump',
          url,
          [
            '--format=custom',
            `--snapshot=${moment?.snapshot}`,
            `--file=${join(folder, rowsFile)}`,
            ...found.map((name) => `--schema=${name}`),
          ],
          options.environment,
        )
        const roles = await step<{ name: string }[]>`
          select distinct pg_get_userbyid(r) as name from (
            select nspowner as r, nspname from pg_namespace
            union all select relowner, nspname from pg_class join pg_namespace n on n.oid = relnamespace
            union all select (aclexplode(nspacl)).grantee, nspname from pg_namespace
            union all select (aclexplode(relacl)).grantee, nspname from pg_class join pg_namespace n on n.oid = relnamespace) granted
          where r <> 0 and nspname in (select jsonb_array_elements_text(${JSON.stringify(found)}::text::jsonb))`
        return {
          format: 1,
          version,
          createdAt: new Date().toISOString(),
          schemas: found,
          roles: roles.map(({ name }) => name),
          tables: await digestAll(step, await listTables(step, found)),
          keys: withKeys ? Object.keys(ring) : [],
          isSealed: recipient !== undefined,
        }
      })
      await writeFile(join(folder, 'manifest.json'), `${JSON.stringify(written, null, 2)}\n`)
      if (withKeys) await writeFile(join(folder, keysFile), JSON.stringify(ring), { mode: 0o600 })
      const parts = [rowsFile, ...(withKeys ? [keysFile] : [])]
      if (recipient) for (const part of parts) await seal(join(folder, part), recipient)
      const archive = join(folder, 'archive.tar')
      await writeFile(archive, '', { mode: 0o600 })
      const names = parts.map((part) => (recipient ? `${part}.age` : part))
      await executeProgram('tar', ['-cf', archive, '-C', folder, 'manifest.json', ...names])
      // In one step: nobody takes half a backup for a whole one.
      await rename(archive, file)
      await recordMark(sql, 'backup')
      return written
    }),
  )
}

/** Throws if rows would be kept that are worth nothing without a key that is not. */
async function requireKeys(sql: Sql, variables: ReadonlySet<string>): Promise<void> {
  const isFilled = async (table: string) => {
    const [found] = await sql<{ exists: boolean }[]>`select to_regclass(${table}) is not null as exists`
    if (!found?.exists) return false
    const [row] = await sql<{ some: boolean }[]>`select exists (select from ${sql(table)}) as some`
    return row?.some ?? false
  }
  const missing = [
    ...((await isFilled('store.bundle')) && !variables.has('SVC_STORE_KEY')
      ? ['SVC_STORE_KEY_FILE, which signs receipts']
      : []),
    ...((await isFilled('notify.subscription')) && !variables.has('SVC_NOTIFY_KEY')
      ? ['SVC_NOTIFY_KEY, without which contact data cannot be read']
      : []),
  ]
  if (missing.length > 0)
    throw new AdminError(`Not found: ${missing.join('; ')}. Name its file with --env-file or --key. Nothing was done.`)
}

export interface RestoreOptions {
  /** The database, which must be empty. */
  url: string
  file: string
  /** The file with the private key of age, for a backup that is encrypted. */
  identity: string | undefined
  /** Where the keys go; undefined: they stay in the backup. */
  keysTo: string | undefined
  environment: Environment
}

/** Restores a backup into an empty database, and compares every table with what the backup says of itself. */
export function restoreBackup({
  url,
  file,
  identity,
  keysTo,
  environment,
}: RestoreOptions): Promise<Manifest & { isOwned: boolean; files: string[] }> {
  return withDatabase(url, (sql) =>
    withFolder(dirname(file), async (folder) => {
      await executeProgram('tar', ['-xf', file, '-C', folder])
      const said = manifest.parse(JSON.parse(await readFile(join(folder, 'manifest.json'), 'utf8')))
      const unknown = said.schemas.filter((name) => !listKeptSchemas().includes(name))
      if (unknown.length > 0) throw new AdminError(`The backup has schemas of a newer version: ${unknown.join(', ')}.`)
      await requireEmpty(sql)
      if (said.isSealed && !identity)
        throw new AdminError('The backup is encrypted: name the private key of age with --identity.')
      const open = async (part: string) => {
        if (said.isSealed) await unseal(join(folder, part), identity ?? '')
        return join(folder, part)
      }
      const dump = await open(rowsFile)
      const isOwned = await hasRoles(sql, said.roles)
      // Services or deploy/postgres.sql may have created them: what is restored has its own tables and rights.
      for (const name of await findKeptSchemas(sql)) await sql`drop schema ${sql(name)} cascade`
      await runPostgres(
        'pg_restore',
        url,
        ['--exit-on-error', '--single-transaction', ...(isOwned ? [] : ['--no-owner', '--no-privileges']), dump],
        environment,
      )
      const differs = listDifferences(said.tables, await digestAll(sql, await listTables(sql, said.schemas)))
      if (differs.length > 0) throw new AdminError(`The restored tables differ from the backup. ${differs.join('; ')}.`)
      const files = keysTo && said.keys.length > 0 ? await writeKeys(await open(keysFile), keysTo) : []
      return { ...said, isOwned, files }
    }),
  )
}

/** Throws if a kept table has rows, except for those that say which migrations ran. */
async function requireEmpty(sql: Sql): Promise<void> {
  const tables = await listTables(sql, await findKeptSchemas(sql))
  for (const table of tables.filter((name) => !/\.migrations?$/.test(name))) {
    const [row] = await sql<{ some: boolean }[]>`select exists (select from ${sql(table)}) as some`
    if (row?.some)
      throw new AdminError(
        `${table} has rows. Restore into an empty database, before services start. Nothing was done.`,
      )
  }
}

async function hasRoles(sql: Sql, roles: readonly string[]): Promise<boolean> {
  const [row] = await sql<{ missing: number }[]>`
    select count(*)::int as missing from jsonb_array_elements_text(${JSON.stringify(roles)}::text::jsonb) as r (name)
    where not exists (select from pg_roles where rolname = name)`
  return row?.missing === 0
}

/** Compares the kept tables of two databases. Returns the differences, and how many tables there are. */
export async function compareDatabases(left: string, right: string): Promise<{ tables: number; differs: string[] }> {
  const [one, two] = await Promise.all(
    [left, right].map((url) =>
      withDatabase(url, async (sql) => digestAll(sql, await listTables(sql, await findKeptSchemas(sql)))),
    ),
  )
  return { tables: one?.length ?? 0, differs: listDifferences(one ?? [], two ?? []) }
}

/** Works in a folder that only this user can read, beside the file, and removes it. */
async function withFolder<T>(parent: string, work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(parent, '.backup-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
