import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
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
  stop: () => Promise<void>
}

/** The ports in `deploy/nginx.conf`. The first is the public one. */
const deployedPorts = [8080, 8078, 8079]
const deploy = fileURLToPath(new URL('../../deploy', import.meta.url))

/** Starts nginx with `deploy/nginx.conf` in front of these replicas, of a store, of tools for agents and of a notifier if there are any. Only the ports and the user differ. */
export async function startNginx(
  replicas: readonly number[],
  storePort = 1,
  mcpPorts: readonly number[] = [1],
  notifierPort = 1,
): Promise<Nginx> {
  // On a tmpfs if there is one, as docs/operations.md recommends.
  const dir = await mkdtemp('/dev/shm/nginx-').catch(() => mkdtemp(join(tmpdir(), 'nginx-')))
  const ports = await findFreePorts(deployedPorts.length)
  const conf = deployedPorts.reduce(
    (text, port, index) => text.replaceAll(new RegExp(`\\b${port}\\b`, 'g'), String(ports[index])),
    await readFile(join(deploy, 'nginx.conf'), 'utf8'),
  )
  const file = join(dir, 'nginx.conf')
  await writeFile(
    file,
    `${process.getuid?.() === 0 ? 'user root;\n' : ''}${conf.replace('listen ', 'listen 127.0.0.1:')}`,
  )
  await writeFile(join(dir, 'replicas.conf'), await formatServers('replicas.conf', replicas))
  await writeFile(join(dir, 'store.conf'), await formatServers('store.conf', [storePort]))
  await writeFile(join(dir, 'mcp.conf'), await formatServers('mcp.conf', mcpPorts))
  await writeFile(join(dir, 'notifier.conf'), await formatServers('notifier.conf', [notifierPort]))
  const child = spawn('nginx', ['-p', dir, '-c', file, '-g', 'daemon off;'], { stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (text) => {
    errors = `${errors}${text}`.slice(-4_000)
  })
  const isUp = () =>
    fetch(`http://127.0.0.1:${ports[2]}/status`).then(
      ({ ok }) => ok,
      () => false,
    )
  for (let look = 0; !(await isUp()); look++) {
    if (look > 500 || child.exitCode !== null) throw new Error(`nginx does not answer:\n${errors}`)
    await wait(20)
  }
  return {
    url: `http://127.0.0.1:${ports[0]}`,
    folder: dir,
    complaints: () => errors,
    async stop() {
      const gone = once(child, 'close')
      child.kill('SIGTERM')
      await gone
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
