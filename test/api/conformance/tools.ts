import { elsewhere, type Statement } from './statement.ts'

const [clients, answers] = ['test/tools/mcp.test.ts', 'test/tools/mcpAnswers.test.ts'] as const

/** The tool server. */
export const tools: readonly Statement[] = [
  ...elsewhere(4, [
    [
      'The twelve svc_ tools',
      clients,
      'the table has the twelve tools of the specification, svc_prepare and svc_request_status',
    ],
    [
      'svc_build_xmtp_proposal builds a TaskProposal envelope',
      answers,
      'a proposal signed by its sender starts a negotiation',
    ],
    [
      'svc_build_xmtp_acceptance_template: EIP-712 typed data for both parties',
      answers,
      'the acceptances, signed by both parties, create the task',
    ],
    ['svc_verify_settlement_digest verifies a digest against the terms', answers, 'a changed number is detected'],
  ]),
  ...elsewhere(5, [
    [
      'PRIVATE_KEY is only for local agents and the send-proposal command: the tool server never reads it',
      clients,
      'does not appear in any output, file or log',
    ],
  ]),
]
