import postgres from 'postgres'

/** The server for tests. Each test creates its own database there. */
export const postgresServer = 'postgres://postgres@127.0.0.1:5432'

/** The database of one test. */
export interface TestDatabase {
  url: string
  drop: () => Promise<void>
}

let created = 0

/** Creates an empty database. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const admin = `${postgresServer}/postgres`
  const name = `svc_test_${process.pid}_${++created}`
  const database = await createTestDatabaseIn(admin, name)
  // This server is never killed, so nobody needs to wait for its disk.
  await run(admin, `alter database ${name} set synchronous_commit = off`)
  return database
}

/** Creates an empty database on the server of the URL `admin`. */
export async function createTestDatabaseIn(admin: string, name: string): Promise<TestDatabase> {
  await run(admin, `create database ${name}`)
  const url = new URL(admin)
  url.pathname = name
  return { url: url.href, drop: () => dropDatabase(url.href) }
}

/** Drops a database, even if it is in use. */
export function dropDatabase(url: string): Promise<void> {
  const admin = new URL(url)
  const name = admin.pathname.slice(1)
  admin.pathname = 'postgres'
  return run(admin.href, `drop database if exists ${name} with (force)`)
}

async function run(url: string, statement: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} })
  try {
    await sql.unsafe(statement)
  } finally {
    await sql.end()
  }
}
