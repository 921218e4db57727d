import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findFreePorts } from './freePorts.ts'

export interface Nginx {
  url: string
  /** The folder with its cache and other files. */
  folder: string
  /** Its error log. */
  complaints: () => string
  /** Ends it at once, with all connections and all that it holds in memory, and starts it again. */
  restart: () => Promise<void>
  stop: () => Promise<void>
}

export interface NginxOptions {
  storePort?: number
  mcpPorts?: readonly number[]
  notifierPort?: number
  /** Whether it holds event streams, with `deploy/nchan`. */
  streams?: boolean
  /** One for each of `deployedPorts`. */
  ports?: readonly number[]
  /** Changes the configuration of the deployment, for a measurement beyond its limits. */
  alter?: (conf: string) => string
}

/** The ports in `deploy/nginx.conf` and `deploy/nchan`. The first is public, the last takes messages of streams. */
const deployedPorts = [8080, 8078, 8079, 8077]
const deploy = fileURLToPath(new URL('../../deploy', import.meta.url))

/** Free ports for `startNginx`, and the address where it will take messages of streams. */
export async function reserveNginxPorts(): Promise<{ ports: readonly number[]; hub: string }> {
  const ports = await findFreePorts(deployedPorts.length)
  return { ports, hub: `http://127.0.0.1:${ports.at(-1)}` }
}

/** Starts nginx with `deploy/nginx.conf` in front of these replicas, of a store, of tools for agents and of a notifier if there are any. Only the ports and the user differ. */
export async function startNginx(
  replicas: readonly number[],
  {
    storePort = 1,
    mcpPorts = [1],
    notifierPort = 1,
    streams = false,
    alter = (conf) => conf,
    ...given
  }: NginxOptions = {},
): Promise<Nginx> {
  // On a tmpfs if there is one, as docs/operations.md recommends.
  const dir = await mkdtemp('/dev/shm/nginx-').catch(() => mkdtemp(join(tmpdir(), 'nginx-')))
  const { ports } = given.ports ? { ports: given.ports } : await reserveNginxPorts()
  const copyConf = async (name: string, change: (text: string) => string) => {
    const text = deployedPorts.reduce(
      (changed, port, index) => changed.replaceAll(new RegExp(`\\b${port}\\b`, 'g'), String(ports[index])),
      await readFile(join(deploy, name), 'utf8'),
    )
    await writeFile(join(dir, name), change(text))
  }
  const user = process.getuid?.() === 0 ? 'user root;\n' : ''
  await copyConf('nginx.conf', (conf) => alter(user + conf.replace('listen ', 'listen 127.0.0.1:')))
  if (streams) {
    await mkdir(join(dir, 'nchan'))
    for (const name of await readdir(join(deploy, 'nchan'))) await copyConf(`nchan/${name}`, alter)
  }
  await writeFile(join(dir, 'replicas.conf'), await formatServers('replicas.conf', replicas))
  await writeFile(join(dir, 'store.conf'), await formatServers('store.conf', [storePort]))
  await writeFile(join(dir, 'mcp.conf'), await formatServers('mcp.conf', mcpPorts))
  await writeFile(join(dir, 'notifier.conf'), await formatServers('notifier.conf', [notifierPort]))
  let errors = ''
  let child = await start()
  async function start() {
    const args = ['-p', dir, '-c', join(dir, 'nginx.conf'), '-g', 'daemon off;']
    // In a group of its own, so that it can be killed with its workers.
    const started = spawn('nginx', args, { stdio: ['ignore', 'ignore', 'pipe'], detached: true })
    started.stderr.on('data', (text) => {
      errors = `${errors}${text}`.slice(-4_000)
    })
    const isUp = () =>
      fetch(`http://127.0.0.1:${ports[2]}/status`).then(
        ({ ok }) => ok,
        () => false,
      )
    for (let look = 0; !(await isUp()); look++) {
      if (look > 500 || started.exitCode !== null) throw new Error(`nginx does not answer:\n${errors}`)
      await wait(20)
    }
    return started
  }
  const end = async (signal: 'SIGTERM' | 'SIGKILL') => {
    const gone = once(child, 'close')
    if (child.pid !== undefined) process.kill(signal === 'SIGKILL' ? -child.pid : child.pid, signal)
    await gone
  }
  return {
    url: `http://127.0.0.1:${ports[0]}`,
    folder: dir,
    complaints: () => errors,
    async restart() {
      await end('SIGKILL')
      child = await start()
    },
    async stop() {
      await end('SIGTERM')
      await rm(dir, { recursive: true, force: true })
    },
  }
}

/** The lines of a file of servers in `deploy`, for these ports. */
async function formatServers(file: string, ports: readonly number[]): Promise<string> {
  const [line] = (await readFile(join(deploy, file), 'utf8')).split('\n').filter((each) => each.startsWith('server '))
  if (!line) throw new Error(`deploy/${file} names no server.`)
  return ports.map((port) => line.replace(/:\d+/, `:${port}`)).join('\n')
}
