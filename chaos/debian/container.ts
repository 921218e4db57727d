import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { waitUntil } from '../shared/replica.ts'

const run = promisify(execFile)

/** An empty Debian 12 with an init system of its own, whose only network is one of user mode. */
export interface Container {
  /** Its root folder, as seen from outside. */
  root: string
  /** Runs a program as root. Returns what it printed, or throws with the end of it. */
  run: (program: string, ...args: string[]) => Promise<string>
  stop: () => Promise<void>
}

/** How a program in the container reaches a port of this machine. */
export const hostAddress = '10.0.2.2'

const inside = '/etc/ssl/outside.crt'

/**
 * Installs an empty Debian in a new folder and boots it. Needs root, and Debian's debootstrap, systemd-container and slirp4netns. Some
 * machines reach the Internet only through a proxy with an `authority` of its own, which is the path of its certificate.
 */
export async function bootDebian(authority: string): Promise<Container> {
  // Not in /tmp, which may be small.
  const root = await mkdtemp('/var/tmp/debian-')
  // Users of the container pass through it.
  await chmod(root, 0o755)
  const packages = ['systemd', 'systemd-sysv', 'ca-certificates']
  await run('debootstrap', ['--variant=minbase', `--include=${packages}`, 'bookworm', root], { maxBuffer: 64 << 20 })
  await rm(join(root, 'etc/resolv.conf'), { force: true })
  await writeFile(join(root, 'etc/resolv.conf'), 'nameserver 10.0.2.3\n')
  const hasAuthority = existsSync(authority)
  if (hasAuthority) await copyFile(authority, join(root, inside))
  const flags = ['--register=no', '--keep-unit', '--private-network', `--directory=${root}`, '--boot', '--quiet']
  const nspawn = spawn('systemd-nspawn', flags, { stdio: ['ignore', 'ignore', 'inherit'] })
  let init = ''
  const findInit = async () => {
    init = (await run('pgrep', ['-P', String(nspawn.pid)])).stdout.trim()
    return init !== ''
  }
  await waitUntil('the container has an init process', 30_000, findInit)
  const network = spawn('slirp4netns', ['--configure', init, 'tap0'], { stdio: 'ignore' })
  const path = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  const environment = [
    `PATH=${path}`,
    'HOME=/root',
    'DEBIAN_FRONTEND=noninteractive',
    ...(hasAuthority ? [`NODE_EXTRA_CA_CERTS=${inside}`, `SSL_CERT_FILE=${inside}`] : []),
  ]
  const container: Container = {
    root,
    async run(program, ...args) {
      const enter = ['-t', init, '-m', '-u', '-i', '-n', '-p', '--', 'env', '-i', ...environment, program, ...args]
      const { stdout } = await run('nsenter', enter, { maxBuffer: 64 << 20 }).catch((error) => {
        throw new Error(`${args.at(-1)}\n${String(error.stdout).slice(-2_000)}${String(error.stderr).slice(-2_000)}`)
      })
      return stdout
    },
    async stop() {
      network.kill()
      nspawn.kill('SIGKILL')
      await run('kill', ['-KILL', init]).catch(() => {})
      // Its mounts go with its processes, a moment later.
      await waitUntil('the container is gone', 30_000, async () => {
        const mounts = await readFile('/proc/self/mounts', 'utf8')
        return !mounts.includes(root)
      }).catch(() => {})
      await rm(root, { recursive: true, force: true })
    },
  }
  await waitUntil('the container has booted', 60_000, async () => {
    return /running|degraded/.test(await container.run('sh', '-c', 'systemctl is-system-running || true'))
  })
  return container
}
