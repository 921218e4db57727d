import { type Market, market } from '@svc/protocol'
import * as z from 'zod/mini'
import { exits } from '../exits.ts'
import { chainFindings } from './chainFindings.ts'
import type { Command } from './command.ts'
import { fieldsOf } from './field.ts'
import { finding } from './finding.ts'
import { gatewayFindings, quotaFindings } from './serviceFindings.ts'
import { walletFindings } from './walletFindings.ts'

const fields = fieldsOf(z.strictObject({ market }), { market: 'standard' })

/** Looks at everything the command needs, and says how to mend what is broken. */
export const doctor: Command = {
  name: 'doctor',
  summary: 'Check chain, contracts, wallet, quota and gateway, and how to mend what is wrong.',
  fields,
  from: 'optional',
  answer: z.object({ ok: z.boolean(), findings: z.array(finding) }),
  async run({ input, from, io, open }) {
    const { env, markets } = await open()
    const chosen = (input.market ?? 'standard') as Market
    const chain = await chainFindings(markets, chosen, io.now())
    const sound = chain.every(({ level }) => level !== 'fail')
    const findings = [
      ...chain,
      ...(sound ? await walletFindings(markets, chosen, from) : []),
      ...(await quotaFindings(env.SVC_API_URL, chosen, from)),
      ...(await gatewayFindings(env.SVC_GATEWAY_URL)),
    ]
    const exit = exits[sound ? (findings.some(({ level }) => level === 'fail') ? 'refused' : 'done') : 'unreachable']
    return {
      json: { ok: exit === exits.done, findings },
      lines: findings.flatMap(({ level, what, says, hint }) => [
        `${level.padEnd(4)}  ${what}: ${says}`,
        ...(hint ? [`      ${hint}`] : []),
      ]),
      exit: exit.code,
    }
  },
}
