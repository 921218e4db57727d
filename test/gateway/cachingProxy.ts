import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../harness/freePorts.ts'

/** A real nginx that caches every answer it is allowed to, of posts too, for all clients. */
export interface CachingProxy {
  url: string
  stop: () => Promise<void>
}

/** Starts it in front of a gateway. `/control` is its own answer, which is cacheable. */
export async function startCachingProxy(gatewayPort: number): Promise<CachingProxy> {
  const dir = await mkdtemp(join(tmpdir(), 'proxy-'))
  const [port, control] = [await findFreePort(), await findFreePort()]
  const conf = `${process.getuid?.() === 0 ? 'user root;' : ''}
pid nginx.pid; error_log stderr warn; events { worker_connections 2048; }
http {
  access_log off; client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path f; uwsgi_temp_path u; scgi_temp_path s;
  proxy_cache_path cache levels=1:2 keys_zone=all:1m inactive=10m;
  server { listen 127.0.0.1:${control}; location / { add_header Cache-Control "max-age=60"; return 200 "$request_id"; } }
  server {
    listen 127.0.0.1:${port};
    large_client_header_buffers 4 16k;
    proxy_cache all; proxy_cache_methods GET HEAD POST; proxy_cache_key $uri; proxy_cache_valid any 10m;
    proxy_set_header Host 127.0.0.1:${gatewayPort};
    add_header X-Cache $upstream_cache_status always;
    location / { proxy_pass http://127.0.0.1:${gatewayPort}; }
    location /control { proxy_pass http://127.0.0.1:${control}; }
  }
}`
  await writeFile(join(dir, 'nginx.conf'), conf)
  const child = spawn('nginx', ['-p', dir, '-c', join(dir, 'nginx.conf'), '-g', 'daemon off;'], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 100; tries++) {
    if (
      await fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      )
    )
      break
    await new Promise((done) => setTimeout(done, 50))
  }
  return {
    url,
    async stop() {
      const gone = once(child, 'close')
      child.kill('SIGTERM')
      await gone
      await rm(dir, { recursive: true, force: true })
    },
  }
}
