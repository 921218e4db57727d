import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Command } from '../../apps/tools/test/connect.ts'

/** Starts the server over HTTP on a free port. */
export async function startHttp({ command, args, env }: Command) {
  const child = spawn(command, [...args, 'http', '--port', '0'], { env, stdio: ['ignore', 'pipe', 'pipe'] })
  let log = ''
  const port = await new Promise<string>((resolve, reject) => {
    child.once('exit', () => reject(new Error(`svc-tools http ended: ${log}`)))
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        log += text
        const [, found] = /127\.0\.0\.1:(\d+)/.exec(log) ?? []
        if (found) resolve(found)
      })
    }
  })
  return {
    url: new URL(`http://127.0.0.1:${port}/mcp`),
    log: () => log,
    async stop() {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}
