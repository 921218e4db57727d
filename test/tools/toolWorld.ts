import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createSigningContext, prepareAction, saveDeployments } from '@svc/chain'
import { accounts, type DemoTask, type Devnet } from '@svc/devnet'
import { buildTerms, formatTaskId, termsDocument } from '@svc/protocol'
import { z } from 'zod'
import { openMarkets } from '../../apps/tools/src/market.ts'
import type { Command } from '../../apps/tools/test/connect.ts'
import { bundleFile } from '../../scripts/bundleFile.ts'
import { startDemoWorld } from '../harness/demoWorld.ts'
import { type FakeRequests, startFakeRequests } from './fakeRequests.ts'
import { startHttp } from './startHttp.ts'

/** A key that no output, file or log may ever have. */
export const canary = '0xc0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00c0ffee00'

/** The demo world, and the server as users get it. */
export interface ToolWorld {
  devnet: Devnet
  demoTasks: readonly DemoTask[]
  /** The folder that the server takes for its user's home. */
  home: string
  /** The server over stdio. */
  command: Command
  /** The server over HTTP. */
  url: URL
  /** What the one over HTTP wrote to its log. */
  log: () => string
  /** One right call of every tool. */
  calls: Readonly<Record<string, Record<string, unknown>>>
  stop: () => Promise<void>
}

/** Starts all of it. */
export async function startToolWorld(): Promise<ToolWorld> {
  const home = await mkdtemp(join(tmpdir(), 'tools-'))
  const { devnet, tasks: demoTasks } = await startDemoWorld()
  const { providers, places } = openMarkets([devnet.rpcUrl], devnet.deployments)
  const gateway = await startFakeRequests(
    await prepareAction(providers, places, {
      action: 'top-up',
      input: { market: 'micro', amountUsdc: '5000000' },
      from: accounts.newcomer.address,
    }),
  )
  const file = join(home, 'svc-tools.js')
  await bundleFile(new URL('../../apps/tools/src/svc-tools.ts', import.meta.url).pathname, file)
  const deployments = join(home, 'deployments.json')
  await saveDeployments(deployments, devnet.deployments)
  const env = {
    CHAIN_RPC_URL: devnet.rpcUrl,
    SVC_DEPLOYMENTS: deployments,
    SVC_GATEWAY_URL: gateway.url,
    HOME: home,
    PRIVATE_KEY: canary,
  }
  const command = { command: process.execPath, args: [file], env }
  const http = await startHttp(command)
  return {
    devnet,
    demoTasks,
    home,
    command,
    url: http.url,
    log: http.log,
    calls: listCalls({ devnet, demoTasks, gateway, present: Math.floor(Date.now() / 1000) }),
    async stop() {
      await http.stop()
      await gateway.stop()
      await devnet.stop()
      await rm(home, { recursive: true })
    },
  }
}

interface Facts {
  devnet: Devnet
  demoTasks: readonly DemoTask[]
  gateway: FakeRequests
  present: number
}

function listCalls({ devnet, demoTasks, gateway, present }: Facts): ToolWorld['calls'] {
  const endsIn = (state: string) => {
    const found = demoTasks.find(({ scenario, market }) => scenario.expected.state === state && market === 'standard')
    return formatTaskId({ market: 'standard', number: found?.taskId ?? 0n })
  }
  const poster = accounts.ada.address
  const worker = accounts.emeka.address
  const words = { poster, worker, title: 'A logo', criteria: 'An SVG file.' }
  const milestones = [{ title: 'All of it', amountTokWei: 250n * 10n ** 18n, durationSeconds: 172_800 }]
  const draft = { ...words, milestones, nonce: 7n, claimDeadline: present + 259_200 }
  const document = buildTerms(draft, createSigningContext(devnet.deployments, 'standard'), present)
  const terms = z.encode(termsDocument as never, document as never) as Record<string, unknown>
  return {
    svc_list_open_tasks: { limit: 3 },
    svc_get_task: { id: endsIn('POSTED'), wallet: worker },
    svc_list_tasks_by_poster: { address: poster, market: 'micro' },
    svc_list_tasks_by_worker: { address: worker },
    svc_list_recent_tasks: { market: 'micro', limit: 50 },
    svc_task_next_steps: { id: endsIn('ACTIVE'), wallet: poster },
    svc_get_agent_reputation: { address: worker },
    svc_onboarding_checklist: { address: accounts.newcomer.address, market: 'micro' },
    svc_build_task_terms: { ...words, milestones: [{ title: 'All of it', amount: '250.5', duration: '48 hours' }] },
    svc_build_xmtp_proposal: { terms, sender: worker },
    svc_build_xmtp_acceptance_template: { terms, expiryHours: 12 },
    svc_verify_settlement_digest: { terms, id: endsIn('ACTIVE') },
    // The fake gateway has a request for exactly this.
    svc_prepare: {
      action: 'top-up',
      input: { market: 'micro', amountUsdc: '5000000' },
      wallet: accounts.newcomer.address,
    },
    svc_request_status: { requestId: gateway.requestId },
  }
}
