import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { saveDeployments } from '@svc/chain'
import { type AppProcess, startAppProcess } from '../../chaos/shared/appProcess.ts'
import type { IndexedWorld } from '../harness/indexed.ts'
import { createContactKey } from './notifierApp.ts'
import {
  type MailServer,
  type PushService,
  type Receiver,
  startMailServer,
  startPushService,
  startReceiver,
} from './receivers.ts'

/** Where a notifier sends to in a test. */
export interface Receivers {
  mail: MailServer
  push: PushService
  hook: Receiver
  stop: () => Promise<void>
}

export async function startReceivers(): Promise<Receivers> {
  const [mail, push, hook] = await Promise.all([startMailServer(), startPushService(), startReceiver()])
  return {
    mail,
    push,
    hook,
    stop: async () => void (await Promise.all([mail.stop(), push.stop(), hook.stop()])),
  }
}

/** Starts the real notifier beside an index, with every channel set up. */
export async function startNotifierProcess(
  { devnet, database }: Pick<IndexedWorld, 'devnet' | 'database'>,
  { port, siteUrl, receivers }: { port: number; siteUrl: string; receivers: Receivers },
): Promise<Pick<AppProcess, 'lines'> & { folder: string; stop: () => Promise<void> }> {
  const { mail, push, hook } = receivers
  const folder = await mkdtemp(join(tmpdir(), 'notifier-'))
  const deployments = join(folder, 'deployments.json')
  await saveDeployments(deployments, devnet.deployments)
  const notifier = startAppProcess('notifier', {
    CHAIN_RPC_URL: devnet.rpcUrl,
    SVC_DEPLOYMENTS: deployments,
    SVC_DATABASE_URL: database.url,
    SVC_SITE_URL: siteUrl,
    SVC_NOTIFY_DOMAINS: new URL(siteUrl).host,
    SVC_NOTIFY_PORT: String(port),
    SVC_NOTIFY_KEY: createContactKey(),
    SVC_NOTIFY_SMTP_URL: mail.url,
    SVC_NOTIFY_FROM: 'market@market.example',
    SVC_NOTIFY_VAPID_KEY: randomBytes(32).toString('base64url'),
    SVC_NOTIFY_VAPID_SUBJECT: 'mailto:ops@market.example',
    SVC_NOTIFY_ALLOWED_ORIGINS: [push.origin, hook.origin].join(','),
    SVC_NOTIFY_POLL_MS: '100',
    SVC_LOG_LEVEL: 'trace',
    SVC_DRAIN_MS: '0',
  })
  await notifier.waitForLog('listening')
  return {
    lines: notifier.lines,
    folder,
    async stop() {
      await notifier.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
