import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from '../../test/harness/freePorts.ts'

/** An nginx that only sends files. */
export interface BareNginx {
  url: string
  stop: () => Promise<void>
}

/** Starts it over these files, in the given folder, with the tuning of `deploy/nginx.conf`. */
export async function startBareNginx(folder: string, files: Readonly<Record<string, Buffer>>): Promise<BareNginx> {
  const port = await findFreePort()
  await mkdir(join(folder, 'files'), { recursive: true })
  for (const [name, bytes] of Object.entries(files)) await writeFile(join(folder, 'files', name), bytes)
  const conf = `${process.getuid?.() === 0 ? 'user root;' : ''}
pid nginx.pid; error_log stderr warn; worker_processes auto; events { worker_connections 8192; }
http {
  access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
  sendfile on; tcp_nopush on; open_file_cache max=2000 inactive=10s; keepalive_requests 100000; default_type application/json;
  server { listen 127.0.0.1:${port} backlog=4096 reuseport; root files; }
}`
  const file = join(folder, 'nginx.conf')
  await writeFile(file, conf)
  const child = spawn('nginx', ['-e', 'stderr', '-p', folder, '-c', file, '-g', 'daemon off;'], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  return {
    url: `http://127.0.0.1:${port}`,
    async stop() {
      const gone = once(child, 'close')
      child.kill('SIGTERM')
      await gone
    },
  }
}
