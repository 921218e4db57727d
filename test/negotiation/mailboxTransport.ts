import { join } from 'node:path'
import { accounts } from '@svc/devnet'
import { verifyKeySignature } from '@svc/protocol/negotiation'
import { createTestDatabase } from '../harness/postgres.ts'
import { startTestStore, testDomain } from '../harness/storeApp.ts'
import { startEngine } from '../store/engines.ts'
import { createFakeTasks } from '../store/fakeTasks.ts'
import type { Pair, Side } from './pair.ts'
import { runProgram } from './runProgram.ts'
import { fakeDeployments } from './stores.ts'

/** A store whose mailboxes carry the messages of a pair. */
export async function startMailboxes(pair: Pair) {
  const engine = await startEngine('folder')
  const database = await createTestDatabase()
  const service = await startTestStore({
    objects: engine.objects,
    databaseUrl: database.url,
    tasks: createFakeTasks(),
    deployments: fakeDeployments,
    verifySignature: verifyKeySignature,
  })
  const at = ['--store', service.url, '--store-address', accounts.store.address, '--domain', testDomain]
  return {
    /** Runs a command of svc-negotiate over the mailbox of a side. */
    over: (side: Side, ...argv: string[]) =>
      runProgram('svc-negotiate', [...argv, '--transport', 'store', '--dir', side.dir, '--json', ...at], {
        SVC_DEPLOYMENTS: join(pair.folder, 'deployments.json'),
        CHAIN_RPC_URL: 'http://127.0.0.1:1',
        HOME: join(side.dir, 'home'),
        PRIVATE_KEY: side.key,
      }),
    async stop() {
      await service.stop()
      await engine.stop()
      await database.drop()
    },
  }
}
