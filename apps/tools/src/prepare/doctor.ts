import type { Market } from '@svc/protocol'
import { market } from '@svc/protocol/internal/base'
import * as z from 'zod/mini'
import { exitCodes } from '../exitCodes.ts'
import type { Command } from './command.ts'
import { listFields } from './field.ts'
import { finding } from './finding.ts'
import { inspectChain } from './inspectChain.ts'
import { inspectGateway, inspectQuota } from './inspectServices.ts'
import { inspectWallet } from './inspectWallet.ts'

const fields = listFields(z.strictObject({ market }), { market: 'standard' })

/** Checks everything that svc-prepare needs and explains how to fix problems. */
export const doctor: Command = {
  name: 'doctor',
  summary: 'Check chain, contracts, wallet, quota and gateway, and explain how to fix problems.',
  fields,
  from: 'optional',
  answer: z.object({ ok: z.boolean(), findings: z.array(finding) }),
  async run({ input, from, io, open }) {
    const { env, markets } = await open()
    const chosen = (input.market ?? 'standard') as Market
    const chain = await inspectChain(markets, chosen, io.now())
    const isHealthy = chain.every(({ level }) => level !== 'fail')
    const findings = [
      ...chain,
      ...(isHealthy ? await inspectWallet(markets, chosen, from) : []),
      ...(await inspectQuota(env.SVC_API_URL, chosen, from)),
      ...(await inspectGateway(env.SVC_GATEWAY_URL)),
    ]
    const exit =
      exitCodes[isHealthy ? (findings.some(({ level }) => level === 'fail') ? 'refused' : 'done') : 'unreachable']
    return {
      json: { ok: exit === exitCodes.done, findings },
      lines: findings.flatMap(({ level, what, says, hint }) => [
        `${level.padEnd(4)}  ${what}: ${says}`,
        ...(hint ? [`      ${hint}`] : []),
      ]),
      exit: exit.code,
    }
  },
}
