import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { saveDeployments } from '@svc/chain'
import type { Devnet } from '@svc/devnet'
import { compileCache } from './env.ts'
import { findFreePort } from './freePorts.ts'
import { findProgram } from './programs.ts'

/** The real gateway as a process on its own port, over a devnet. */
export interface GatewayProcess {
  url: string
  /** Everything it has printed since the last start. */
  output: () => string
  /** Kills the process, as a crash does. */
  kill: () => Promise<void>
  /** Starts it again with the same port and state file. */
  start: () => Promise<void>
  /** Ends it and removes its files. */
  remove: () => Promise<void>
}

/** Starts a gateway over a devnet, with additional settings. Resolves when it listens. */
export async function startGatewayProcess(
  { rpcUrl, deployments }: Devnet,
  more: Readonly<Record<string, string>> = {},
): Promise<GatewayProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-'))
  const file = join(folder, 'deployments.json')
  await saveDeployments(file, { ...deployments, rpcUrl })
  const port = await findFreePort()
  const env = {
    ...compileCache.env(),
    CHAIN_RPC_URL: rpcUrl,
    SVC_DEPLOYMENTS: file,
    SVC_GATEWAY_PORT: String(port),
    SVC_GATEWAY_STATE: join(folder, 'requests.sqlite'),
    ...more,
  }
  let printed = ''
  let kill = await start()

  async function start(): Promise<() => Promise<void>> {
    const child = spawn(process.execPath, [findProgram('apps/gateway/src/main.ts')], {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const gone = once(child, 'close')
    const killNow = () => child.kill('SIGKILL')
    process.once('exit', killNow)
    printed = ''
    await new Promise<void>((listening, fail) => {
      // Keep reading: a full pipe would block the process.
      child.stdout.setEncoding('utf8').on('data', (text: string) => {
        printed += text
        if (printed.includes('"listening"')) listening()
      })
      gone.then(() => fail(new Error(`The gateway ended with code ${child.exitCode}: ${printed}`)))
    })
    return async () => {
      process.off('exit', killNow)
      killNow()
      await gone
    }
  }

  return {
    url: `http://127.0.0.1:${port}`,
    output: () => printed,
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
