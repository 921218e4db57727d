// The MCP tools for agent.ts, with the fields of their results that the agent uses.
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { z } from 'zod'
import type { Stack } from '../stack.ts'

const amount = z.string().transform(BigInt)
const moment = z.object({ at: z.number() })
const answers = {
  svc_onboarding_checklist: z.object({
    items: z.array(
      z.object({ item: z.string(), ok: z.boolean(), required: z.boolean(), nextStep: z.string().nullable() }),
    ),
  }),
  svc_list_open_tasks: z.object({
    tasks: z.array(z.object({ id: z.string() })),
    meta: z.object({ block: z.object({ timestamp: z.number() }) }),
  }),
  svc_get_task: z.object({
    task: z.object({
      id: z.string(),
      state: z.string(),
      phase: z.string(),
      poster: z.string(),
      claimPolicy: z.string(),
      claimDigest: z.string().optional(),
      store: z.string().nullable(),
      totalAmountTokWei: amount,
      fundedTokWei: amount,
      currentMilestone: z.number(),
      releasedTokWei: amount,
      milestones: z.array(z.object({ durationSeconds: z.number() })),
      deadlines: z.object({ claim: moment.optional(), vet: moment.optional(), review: moment.optional() }),
      // Absent for a private task, which publishes no text.
      untrustedTitle: z.string().default(''),
      untrustedCriteria: z.string().default(''),
      removedCharacters: z.number().default(0),
    }),
  }),
  svc_get_agent_reputation: z.object({
    depositUsdcUnits: amount,
    completedAsPoster: z.number(),
    disputesLost: z.number(),
    lapses: z.number(),
  }),
  svc_verify_settlement_digest: z.object({ matches: z.boolean() }),
  svc_task_next_steps: z.object({
    steps: z.array(
      z.object({
        action: z.string(),
        call: z.object({ arguments: z.looseObject({ input: z.record(z.string(), z.unknown()).optional() }) }),
      }),
    ),
  }),
  svc_work_sign_in: z.object({ signedIn: z.boolean(), message: z.string().optional() }),
  svc_send_work: z.object({ hash: z.string(), receipt: z.record(z.string(), z.unknown()).optional() }),
  svc_request_status: z.object({ status: z.string(), settled: z.boolean() }),
}

type Answers = { [Name in keyof typeof answers]: z.output<(typeof answers)[Name]> }

/** Starts the MCP server of this repository over stdio. It never signs, so it gets no key. */
export async function openTools({ rpcUrl, deploymentsFile, gatewayUrl, apiUrl }: Stack, folder: string) {
  const client = new Client({ name: 'example-agent', version: '1.0.0' })
  const env = {
    CHAIN_RPC_URL: rpcUrl,
    SVC_DEPLOYMENTS: deploymentsFile,
    SVC_GATEWAY_URL: gatewayUrl,
    SVC_API_URL: apiUrl,
    // Only files in here can be sent. The reading keys are in the other folder.
    SVC_WORK_FOLDER: join(folder, 'work'),
    XDG_STATE_HOME: join(folder, 'state'),
  }
  const server = fileURLToPath(new URL('../../apps/tools/src/svc-tools.ts', import.meta.url))
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [server], env, stderr: 'inherit' }))
  return {
    close: () => client.close(),
    /** Calls a tool. Throws its error message. */
    async call<Name extends keyof Answers>(name: Name, args: Record<string, unknown>): Promise<Answers[Name]> {
      const { isError, content, structuredContent } = await client.callTool({ name, arguments: args })
      if (isError) throw new Error(`${name}: ${JSON.stringify(content)}`)
      return answers[name].parse(structuredContent) as Answers[Name]
    },
  }
}
