import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { saveDeployments } from '@svc/chain'
import type { Devnet } from '@svc/devnet'
import { freePort } from './freePort.ts'

/** The real gateway process on a port of its own, over a devnet. */
export interface RunningGateway {
  url: string
  /** All that it has printed since it was last started. */
  said: () => string
  /** Ends the process at once, as a crash does. */
  kill: () => Promise<void>
  /** Starts it again with the same port and the same file of requests. */
  start: () => Promise<void>
  /** Ends it for good, with its files. */
  remove: () => Promise<void>
}

const main = fileURLToPath(new URL('../../apps/gateway/src/main.ts', import.meta.url))

/** Starts a gateway over a devnet, with more settings where given; it listens when this settles. */
export async function runGateway(
  { rpcUrl, deployments }: Devnet,
  more: Readonly<Record<string, string>> = {},
): Promise<RunningGateway> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-'))
  const file = join(folder, 'deployments.json')
  await saveDeployments(file, { ...deployments, rpcUrl })
  const port = await freePort()
  const env = {
    CHAIN_RPC_URL: rpcUrl,
    SVC_DEPLOYMENTS: file,
    SVC_GATEWAY_PORT: String(port),
    SVC_GATEWAY_STATE: join(folder, 'requests.jsonl'),
    ...more,
  }
  let said = ''
  let kill = await start()

  async function start(): Promise<() => Promise<void>> {
    const child = spawn(process.execPath, [main], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    const gone = once(child, 'close')
    const killNow = () => child.kill('SIGKILL')
    process.once('exit', killNow)
    said = ''
    await new Promise<void>((listening, fail) => {
      // Read on to the end of its life: a full pipe would stop it.
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text
        if (said.includes('"listening"')) listening()
      })
      gone.then(() => fail(new Error(`The gateway ended with code ${child.exitCode}: ${said}`)))
    })
    return async () => {
      process.off('exit', killNow)
      killNow()
      await gone
    }
  }

  return {
    url: `http://127.0.0.1:${port}`,
    said: () => said,
    kill: () => kill(),
    async start() {
      kill = await start()
    },
    async remove() {
      await kill()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
