import postgres from 'postgres'

/** The server that tests may use; each test makes a database of its own there. */
export const server = 'postgres://postgres@127.0.0.1:5432'

/** A database of one test. */
export interface TestDatabase {
  url: string
  drop: () => Promise<void>
}

let made = 0

/** Makes an empty database. */
export function createDatabase(): Promise<TestDatabase> {
  return createDatabaseIn(`${server}/postgres`, `svc_test_${process.pid}_${++made}`)
}

/** Makes an empty database in the server that `admin` leads to. */
export async function createDatabaseIn(admin: string, name: string): Promise<TestDatabase> {
  await run(admin, `create database ${name}`)
  const url = new URL(admin)
  url.pathname = name
  return { url: url.href, drop: () => dropDatabase(url.href) }
}

/** Removes a database with all that is in it, whoever uses it. */
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
