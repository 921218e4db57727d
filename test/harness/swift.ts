import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'
import type { S3Options } from '../../apps/store/src/objects/s3Store.ts'
import { findFreePorts } from './freePorts.ts'

const run = promisify(execFile)

/** A one-node OpenStack Swift with its S3 API. It can be killed and started again. */
export interface Swift extends S3Options {
  kill: () => Promise<void>
  start: () => Promise<void>
  remove: () => Promise<void>
}

const programs = [
  'swift-ring-builder',
  'swift-proxy-server',
  'swift-account-server',
  'swift-container-server',
  'swift-object-server',
  'memcached',
]

/** Says what is missing to run Swift; null if nothing is. */
export function findMissingSwift(): string | null {
  const missing = programs.filter((name) => !['/usr/bin', '/usr/sbin'].some((folder) => existsSync(join(folder, name))))
  return missing.length > 0
    ? 'Swift is not installed (as root on Debian: scripts/swift install); what needs it is skipped.'
    : null
}

/** Starts Swift on loopback with an empty bucket, all in a temporary folder. */
export async function startSwift(): Promise<Swift> {
  const dir = await mkdtemp(join(tmpdir(), 'swift-'))
  const [proxy = 0, memory = 0, account = 0, container = 0, object = 0] = await findFreePorts(5)
  const etc = join(dir, 'etc')
  await mkdir(etc, { recursive: true })
  await mkdir(join(dir, 'srv/d1'), { recursive: true })
  await writeFile(
    join(etc, 'swift.conf'),
    '[swift-hash]\nswift_hash_path_prefix = test\nswift_hash_path_suffix = test\n[storage-policy:0]\nname = gold\ndefault = yes\n',
  )
  const common = (port: number) =>
    `[DEFAULT]\nbind_ip = 127.0.0.1\nbind_port = ${port}\nworkers = 1\nuser = ${userInfo().username}\nswift_dir = ${etc}\ndevices = ${dir}/srv\nmount_check = false\nlog_level = WARNING\n`
  for (const [name, port] of Object.entries({ account, container, object })) {
    const ring = (...args: string[]) => run('swift-ring-builder', [`${name}.builder`, ...args], { cwd: etc })
    await ring('create', '4', '1', '1')
    await ring('add', `r1z1-127.0.0.1:${port}/d1`, '1')
    await ring('rebalance')
    await writeFile(
      join(etc, `${name}-server.conf`),
      `${common(port)}[pipeline:main]\npipeline = ${name}-server\n[app:${name}-server]\nuse = egg:swift#${name}\n`,
    )
  }
  await writeFile(join(etc, 'proxy-server.conf'), `${common(proxy)}${proxyPipeline(memory)}`)

  const children: ChildProcess[] = []
  const start = async () => {
    const launch = (command: string, args: string[]) =>
      children.push(
        spawn(command, args, {
          env: { PATH: '/usr/bin:/usr/sbin:/bin', SWIFT_DIR: etc },
          stdio: 'ignore',
          detached: true,
        }),
      )
    launch('memcached', ['-l', '127.0.0.1', '-p', String(memory), '-u', 'nobody', '-m', '16'])
    for (const name of ['object', 'container', 'account', 'proxy']) {
      launch(`swift-${name}-server`, [join(etc, `${name}-server.conf`)])
    }
    await waitUntilUp(`http://127.0.0.1:${proxy}/healthcheck`)
  }
  const kill = async () => {
    const gone = children.splice(0).map(async (child) => {
      const closed = once(child, 'close')
      // The servers fork workers, which are in the same group.
      if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      await closed
    })
    await Promise.all(gone)
  }
  const remove = async () => {
    await kill()
    await rm(dir, { recursive: true, force: true })
  }
  try {
    await start()
    await createBucket(`http://127.0.0.1:${proxy}`)
  } catch (error) {
    await remove()
    throw error
  }
  return {
    url: `http://127.0.0.1:${proxy}/work`,
    region: 'us-east-1',
    keyId: 'test:tester',
    secret: 'testing',
    kill,
    start,
    remove,
  }
}

const proxyPipeline = (memory: number) => `[pipeline:main]
pipeline = catch_errors gatekeeper healthcheck cache listing_formats bulk tempurl s3api tempauth slo dlo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
allow_account_management = true
${['catch_errors', 'gatekeeper', 'healthcheck', 'listing_formats', 'bulk', 'tempurl', 'slo', 'dlo'].map((name) => `[filter:${name}]\nuse = egg:swift#${name}`).join('\n')}
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:${memory}
[filter:s3api]
use = egg:swift#s3api
s3_acl = false
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
`

async function waitUntilUp(url: string): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const answer = await fetch(url).catch(() => null)
    if (answer?.ok) return
    await wait(100)
  }
  throw new Error(`Swift does not answer at ${url}.`)
}

async function createBucket(base: string): Promise<void> {
  const auth = await fetch(`${base}/auth/v1.0`, { headers: { 'x-auth-user': 'test:tester', 'x-auth-key': 'testing' } })
  const [url, token] = [auth.headers.get('x-storage-url'), auth.headers.get('x-auth-token')]
  for (let tries = 0; tries < 50; tries++) {
    const made = await fetch(`${url}/work`, { method: 'PUT', headers: { 'x-auth-token': token ?? '' } })
    if (made.ok) return
    await wait(200)
  }
  throw new Error('Swift did not create the bucket.')
}
