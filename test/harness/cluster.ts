import { execFile } from 'node:child_process'
import { chown, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findPostgres } from '../../scripts/dev/localPostgres.ts'
import { findFreePort } from './freePorts.ts'

const run = promisify(execFile)

/** A separate Postgres that tests can kill and restart. */
export interface Cluster {
  url: string
  /** Restarts as after a crash: every connection is lost, and nothing is flushed. */
  restart: () => Promise<void>
  /** The two halves of `restart`. */
  kill: () => Promise<void>
  start: () => Promise<void>
  /** Freezes every process of the server without closing connections. Call the result to resume. */
  freeze: () => Promise<() => Promise<void>>
  remove: () => Promise<void>
}

/** Starts a Postgres on a free port. The given settings override the defaults. */
export async function startCluster(given: readonly string[] = []): Promise<Cluster> {
  const { bin, user } = await findPostgres('')
  const dir = await mkdtemp(join(tmpdir(), 'cluster-'))
  if (user) await chown(dir, user.uid, user.gid)
  const as = (program: string, ...args: string[]) => run(join(bin, program), args, { cwd: dir, ...user })
  const port = await findFreePort()
  const data = join(dir, 'data')
  // Only the server is killed, never the machine, so its writes survive without fsync.
  const usual = ['listen_addresses=127.0.0.1', 'shared_buffers=64MB', 'max_connections=60', 'fsync=off']
  const settings = [`-p ${port} -k ${dir}`, ...[...usual, ...given].map((setting) => `-c ${setting}`)].join(' ')
  await as('initdb', '-D', data, '-U', 'postgres', '--auth=trust', '--no-sync')
  const control = (...args: string[]) =>
    as('pg_ctl', '-D', data, '-w', '-s', '-l', join(dir, 'log'), '-o', settings, ...args)
  await control('start')
  return {
    url: `postgres://postgres@127.0.0.1:${port}/postgres`,
    restart: async () => {
      await control('restart', '-m', 'immediate')
    },
    kill: async () => {
      await control('stop', '-m', 'immediate')
    },
    start: async () => {
      await control('start')
    },
    freeze: async () => {
      const [main = ''] = (await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')
      const { stdout } = await run('pgrep', ['-P', main])
      const all = [main, ...stdout.trim().split('\n')].map(Number)
      const signal = (name: 'SIGSTOP' | 'SIGCONT') => {
        for (const pid of all) process.kill(pid, name)
      }
      signal('SIGSTOP')
      return async () => signal('SIGCONT')
    },
    remove: async () => {
      await control('stop', '-m', 'immediate').catch(() => {})
      await rm(dir, { recursive: true, force: true })
    },
  }
}
