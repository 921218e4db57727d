import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { prepareAction, saveDeployments, signingContext } from '@svc/chain'
import { accounts, type Devnet, type Told } from '@svc/devnet'
import { buildTerms, formatTaskId, termsDocument } from '@svc/protocol'
import { actions } from '@svc/protocol/actions'
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
  told: readonly Told[]
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
  const { devnet, told } = await startDemoWorld()
  const { providers, places } = openMarkets([devnet.rpcUrl], devnet.deployments)
  const gateway = await startFakeRequests(
    await prepareAction(providers, places, {
      action: actions.find(({ name }) => name === 'top-up') as never,
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
    told,
    home,
    command,
    url: http.url,
    log: http.log,
    calls: callsOf({ devnet, told, gateway, present: Math.floor(Date.now() / 1000) }),
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
  told: readonly Told[]
  gateway: FakeRequests
  present: number
}

function callsOf({ devnet, told, gateway, present }: Facts): ToolWorld['calls'] {
  const endsIn = (state: string) => {
    const found = told.find(({ plot, market }) => plot.ends.state === state && market === 'standard')
    return formatTaskId({ market: 'standard', number: found?.taskId ?? 0n })
  }
  const poster = accounts.ada.address
  const worker = accounts.emeka.address
  const words = { poster, worker, title: 'A logo', criteria: 'An SVG file.' }
  const milestones = [{ title: 'All of it', amountTokWei: 250n * 10n ** 18n, durationSeconds: 172_800 }]
  const draft = { ...words, milestones, nonce: 7n, claimDeadline: present + 259_200 }
  const document = buildTerms(draft, signingContext(devnet.deployments, 'standard'), present)
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
    svc_build_task_terms: { ...words, milestones: [{ title: 'All of it', amountTok: '250.5', hours: 48 }] },
    svc_build_xmtp_proposal: { terms, sender: worker },
    svc_build_xmtp_acceptance_template: { terms, expiryHours: 12 },
    svc_verify_settlement_digest: { terms, id: endsIn('ACTIVE') },
    svc_request_status: { requestId: gateway.requestId },
  }
}
