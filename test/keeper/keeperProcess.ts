import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { saveDeployments } from '@svc/chain'
import { type Person, publicKeys } from '@svc/devnet'
import { type AppProcess, startAppProcess } from '../../chaos/shared/appProcess.ts'
import type { StuckWorld } from './stuckWorld.ts'

/** A keeper as a process. It can be killed and started again. */
export interface KeeperProcess {
  person: Person
  current: () => AppProcess
  /** Kills it as a crash does, and starts it again. Resolves when the new process runs. */
  crash: () => Promise<void>
}

/** Generous, because the machine may be busy. */
const startMs = 240_000

/** Starts a keeper with the key of a person, its files in a folder, and waits until it has read every task. */
export async function startKeeperProcess(
  { devnet }: Pick<StuckWorld, 'devnet'>,
  folder: string,
  person: Person,
  more: Readonly<Record<string, string>> = {},
): Promise<KeeperProcess> {
  const [deployments, key] = [join(folder, `${person}.json`), join(folder, `${person}.key`)]
  await saveDeployments(deployments, devnet.deployments)
  await writeFile(key, `${publicKeys[person]}\n`, { mode: 0o600 })
  const start = () =>
    startAppProcess('keeper', {
      CHAIN_RPC_URL: devnet.rpcUrl,
      SVC_DEPLOYMENTS: deployments,
      SVC_KEEPER_KEY_FILE: key,
      SVC_KEEPER_POLL_MS: '20',
      SVC_KEEPER_JITTER_MS: '300',
      SVC_KEEPER_SCAN_SECONDS: '1',
      SVC_KEEPER_REPLACE_SECONDS: '2',
      SVC_KEEPER_PORT: '0',
      SVC_KEEPER_HOUR_WEI: '1000000000000000000',
      SVC_KEEPER_DAY_WEI: '1000000000000000000',
      ...more,
    })
  const waitUntilReady = (keeper: AppProcess) => keeper.waitForLog('watching', undefined, startMs)
  let running = start()
  await waitUntilReady(running)
  return {
    person,
    current: () => running,
    async crash() {
      await running.kill('SIGKILL')
      running = start()
      await waitUntilReady(running)
    },
  }
}
