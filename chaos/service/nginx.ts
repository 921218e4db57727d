import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ask, settled } from './replica.ts'

export interface Nginx {
  url: string
  /** What it complained about. */
  complaints: () => string
  stop: () => Promise<void>
}

/** Debian's nginx with `deploy/nginx.conf`, only the ports and the user are others. */
export async function startNginx(port: number, replicas: readonly number[]): Promise<Nginx> {
  const dir = await mkdtemp(join(tmpdir(), 'nginx-'))
  const deployed = await readFile(new URL('../../deploy/nginx.conf', import.meta.url), 'utf8')
  const given = replicas.values()
  const conf = deployed
    .replace(/listen 8080/, `listen 127.0.0.1:${port}`)
    .replaceAll(/server 127\.0\.0\.1:808\d/g, () => `server 127.0.0.1:${given.next().value}`)
  const file = join(dir, 'nginx.conf')
  await writeFile(file, `${process.getuid?.() === 0 ? 'user root;\n' : ''}${conf}`)
  const child = spawn('nginx', ['-p', dir, '-c', file, '-g', 'daemon off;'], { stdio: ['ignore', 'ignore', 'pipe'] })
  let said = ''
  child.stderr.on('data', (text) => {
    said = `${said}${text}`.slice(-4_000)
  })
  const url = `http://127.0.0.1:${port}`
  await settled('nginx answers', 5_000, async () => (await ask(`${url}/healthz`)).status === 200)
  return {
    url,
    complaints: () => said,
    async stop() {
      const gone = once(child, 'close')
      child.kill('SIGTERM')
      await gone
      await rm(dir, { recursive: true, force: true })
    },
  }
}
