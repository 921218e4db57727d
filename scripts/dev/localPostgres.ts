import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { DevError } from './devError.ts'

const run = promisify(execFile)

/** The Postgres installation of this machine: its programs, and the user they run as. */
export interface LocalPostgres {
  bin: string
  /** The server refuses to run as root, so root runs it as `postgres`. */
  user: { uid: number; gid: number } | undefined
}

/** Finds the programs with `pg_config`, in Debian's folder, or on the path. Throws `DevError` with install instructions. */
export async function findPostgres(path: string): Promise<LocalPostgres> {
  for (const bin of await candidates(path)) {
    if (existsSync(join(bin, 'initdb'))) return { bin, user: userInfo().uid === 0 ? await postgresUser() : undefined }
  }
  throw new DevError(
    'Postgres was not found. Install it (Debian and Ubuntu: apt install postgresql; macOS: brew install postgresql), or set DATABASE_URL to a running server.',
  )
}

async function candidates(path: string): Promise<string[]> {
  const debian = '/usr/lib/postgresql'
  const [configured, versions] = await Promise.all([
    run('pg_config', ['--bindir'])
      .then(({ stdout }) => [stdout.trim()])
      .catch(() => []),
    readdir(debian).catch(() => []),
  ])
  const newestFirst = versions.toSorted((a, b) => Number(b) - Number(a)).map((version) => join(debian, version, 'bin'))
  return [...configured, ...newestFirst, ...path.split(delimiter)]
}

async function postgresUser(): Promise<{ uid: number; gid: number }> {
  const idOf = async (flag: '-u' | '-g') => Number((await run('id', [flag, 'postgres'])).stdout)
  try {
    return { uid: await idOf('-u'), gid: await idOf('-g') }
  } catch {
    throw new DevError(
      'Postgres refuses to run as root, and the user postgres does not exist. Run as another user, or set DATABASE_URL.',
    )
  }
}
