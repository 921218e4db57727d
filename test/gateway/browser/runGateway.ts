import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { saveDeployments } from '@svc/chain'
import type { Devnet } from '@svc/devnet'
import { freePort } from '../../harness/freePort.ts'

/** The real gateway process on a port of its own, over a devnet. */
export interface RunningGateway {
  url: string
  /** Ends the process at once, as a crash does. */
  kill: () => Promise<void>
  /** Starts it again with the same port and the same file of requests. */
  start: () => Promise<void>
}

const main = fileURLToPath(new URL('../../../apps/gateway/src/main.ts', import.meta.url))

/** Starts a gateway over a devnet; it answers when this settles. */
export async function runGateway({ rpcUrl, deployments }: Devnet): Promise<RunningGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-'))
  const file = join(folder, 'deployments.json')
  await saveDeployments(file, { ...deployments, rpcUrl })
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = {
    CHAIN_RPC_URL: rpcUrl,
    SVC_DEPLOYMENTS: file,
    SVC_GATEWAY_PORT: String(port),
    SVC_GATEWAY_STATE: join(folder, 'requests.jsonl'),
    SVC_LOG_LEVEL: 'warn',
  }
  let end = async () => {}

  async function start(): Promise<void> {
    const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'inherit', 'inherit'] })
    const exited = once(child, 'exit')
    end = async () => {
      child.kill('SIGKILL')
      await exited
    }
    process.once('exit', () => child.kill('SIGKILL'))
    for (;;) {
      if (child.exitCode !== null) throw new Error(`The gateway ended with code ${child.exitCode}.`)
      const answers = await fetch(`${url}/healthz`).then(
        ({ ok }) => ok,
        () => false,
      )
      if (answers) return
    }
  }

  await start()
  return { url, start, kill: () => end() }
}
