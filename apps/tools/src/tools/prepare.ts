import { type PayFrom, payFroms } from '@svc/chain'
import {
  createQuotaError,
  formatBlocked,
  formatHolderLabel,
  type PreparedJson,
  type RequestJson,
} from '@svc/operations'
import { parseTaskId, termsDocument } from '@svc/protocol'
import { actionList, actions } from '@svc/protocol/actions'
import { isActionName } from '@svc/protocol/internal/actions'
import { formatQuotaUse } from '@svc/protocol/internal/money'
import { describeDraftIssue } from '@svc/protocol/internal/terms'
import type { Address } from 'viem'
import { z } from 'zod'
import { sanitizeUrl } from '../askGateway.ts'
import { buildTermsDocument, toolDraft } from '../buildTermsDocument.ts'
import { address, buildMeta, meta } from '../fields.ts'
import { findOtherPayment } from '../findOtherPayment.ts'
import { findDraft } from '../parseTerms.ts'
import { PrepareError } from '../prepare/prepareError.ts'
import { parsePreparedInput } from '../preparedInput.ts'
import { defineTool, type PreparedAction, type ToolDeps, ToolError } from '../tool.ts'
import { toToolError } from '../toToolError.ts'
import { toUntrustedFields } from '../untrusted.ts'

const names = actionList.map(({ name }) => name).filter(isActionName)

/** Prepares any action of the table. It signs and sends nothing; a gateway only shows it to a person. */
export const prepare = defineTool({
  name: 'svc_prepare',
  title: 'Prepare a transaction',
  description:
    'Prepares a write for a wallet: summary, cost, simulation, and approvalUrl where a person signs if a gateway runs. With calls: unsigned sendCalls for wallet_sendCalls (EIP-5792) of a wallet tool, and the terms. If it would revert: the reason and the cure. Fields that follow from the task may be left out.',
  annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false },
  input: z.strictObject({
    action: z.enum(names).describe('Name of the action.'),
    input: z
      .looseObject({})
      .default({})
      .describe('Such as {taskId}. Amounts are decimal strings: TOK wei (18 decimals), USDC units (6).'),
    draftId: z.string().max(80).optional().describe('Terms of svc_build_task_terms, for post-task and create-task.'),
    address: address.describe('Wallet that will sign.'),
    payFrom: z
      .enum(payFroms)
      .optional()
      .describe('Adds what must come first, in one batch: a top-up and, with usdc, the purchase of missing TOK.'),
    text: z.string().max(100_000).optional().describe('Text to hash for proofHash, reasonHash or evidenceHash.'),
    calls: z.boolean().default(false).describe('Return sendCalls and terms.'),
  }),
  output: z.looseObject({
    ready: z.boolean().describe('True if there are calls to sign.'),
    summary: z.string().describe('What the action does.'),
    costs: z.array(z.looseObject({})).describe('What it costs.'),
    simulation: z.looseObject({}).describe('What it would do, or why it would revert.'),
    sendCalls: z.looseObject({}).optional().describe('Parameters of wallet_sendCalls; only with calls.'),
    nextStep: z.string().describe('What to do now.'),
    meta,
  }),
  async run({ action: name, input: given, draftId, address, payFrom, text, calls }, deps) {
    const action = actions[name]
    const drafted = await readDraft(name, { ...given, ...(draftId && { terms: { draftId } }) }, address, deps)
    const input = parsePreparedInput(action, { ...given, ...drafted.input }, text)
    const found = await deps.prepare(action, input, address, payFrom).catch((error: unknown) => {
      throw toToolError(error)
    })
    const { prepared } = found
    const warnings = [
      ...drafted.warnings,
      ...(prepared.warnings ?? []),
      ...(await warnAboutHash(name, input, address, deps)),
    ]
    const { timestamp, number } = prepared.block
    const common = {
      action: name,
      summary: summarize(prepared),
      market: prepared.market,
      ...(prepared.taskId && { taskId: prepared.taskId }),
      ...(found.claimDigest && { claimDigest: found.claimDigest }),
      ...(calls && formatTerms(found)),
      costs: prepared.costs,
      ...(prepared.swap && { swap: prepared.swap }),
      ...(prepared.total && { total: prepared.total }),
      ...(prepared.quota && { quota: prepared.quota }),
      ...(warnings.length > 0 && { warnings }),
      deadline: prepared.deadline,
      meta: buildMeta({ timestamp, number: BigInt(number) }),
    }
    if (prepared.simulation.status === 'refused') {
      const refusal = await formatRefusal(prepared, address, deps)
      const inUsdc = async () => (await deps.prepare(action, input, address, 'usdc')).prepared
      const other = payFrom ? null : await findOtherPayment(deps.deployments, inUsdc)
      return { ...common, ...refusal, ...(other && { nextStep: toOtherPayment(other) }) }
    }
    return {
      ...common,
      ready: true,
      simulation: formatSimulation(prepared),
      ...(calls && { sendCalls: toSendCalls(prepared) }),
      ...(await requestApproval(prepared, { calls, payFrom }, deps)),
    }
  },
})

const summarize = ({ title, explain, quota }: PreparedJson) =>
  `${title}. ${explain}${quota ? ` Posting quota: ${formatQuotaUse(quota)}.` : ''}`

/** The terms of the action. Their text was written by a stranger, or by whoever drafted the terms. */
function formatTerms({ terms, text }: PreparedAction) {
  return {
    ...(terms !== null && { terms }),
    ...(text !== null && toUntrustedFields(text)),
  }
}

const isDraft = (terms: unknown): terms is object =>
  typeof terms === 'object' && terms !== null && !('settlementDigest' in terms) && !('amountsTokWei' in terms)

/**
 * The terms of a post that were built here, or are built now from a draft: a draft must not reach the chain without the store of its
 * market. A post puts its whole pay in escrow, unless the input says otherwise. Other inputs pass unchanged.
 */
async function readDraft(action: string, given: Readonly<Record<string, unknown>>, poster: Address, deps: ToolDeps) {
  const { terms, fundAmountTokWei } = given
  if (!isDraft(terms)) return { input: {}, warnings: [] }
  const isBuilt = 'draftId' in terms
  const built = isBuilt ? { document: findDraft(String(terms.draftId), deps.drafts), warnings: [] } : await build(terms)
  const { document, warnings } = built
  const total = document.milestones.reduce((sum, { amountTokWei }) => sum + amountTokWei, 0n)
  const funding = action === 'post-task' && fundAmountTokWei === undefined && { fundAmountTokWei: String(total) }
  return { input: { terms: z.encode(termsDocument, document), ...funding }, warnings }

  async function build(terms: object) {
    const draft = toolDraft.safeParse({ poster, ...terms })
    if (!draft.success) throw new ToolError('INVALID_REQUEST', describeDraftIssue(draft.error, terms), 'Correct terms.')
    return buildTermsDocument(draft.data, deps)
  }
}

/** A bare hash on a task with a store is accepted by the contracts, and then not paid by silence. */
async function warnAboutHash(
  name: string,
  { taskId, receipt }: Readonly<Record<string, unknown>>,
  wallet: Address,
  { readTaskContext }: ToolDeps,
): Promise<string[]> {
  if (name !== 'submit-proof' || receipt !== undefined) return []
  const { context } = await readTaskContext(parseTaskId(String(taskId)), wallet)
  if (!context?.task.store) return []
  return ['The terms name a store: without its receipt, silence does not pay. Deliver with svc_send_work instead.']
}

/** The parameters of `wallet_sendCalls`. */
const toSendCalls = ({ version, chainId, from, calls, atomicRequired }: PreparedJson) => ({
  version,
  chainId,
  from,
  calls: calls.map(({ to, data, value }) => ({ to, data, value })),
  atomicRequired,
})

function formatSimulation({ simulation }: PreparedJson) {
  if (simulation.status !== 'succeeds') return { status: simulation.status }
  const changes = simulation.changes.map(({ what, words }) => ({ what, change: words }))
  const others = simulation.others.map((other) => ({ who: formatHolderLabel(other), change: other.words }))
  return { status: simulation.status, gas: simulation.gas, changes, ...(others.length > 0 && { others }) }
}

/** Why the chain would revert, and what would change that. */
async function formatRefusal(prepared: PreparedJson, wallet: Address, deps: ToolDeps) {
  if (prepared.simulation.status !== 'refused') throw new TypeError('The simulation did not revert.')
  const { name: error, message: reason, wayOut: cure } = prepared.simulation.error
  const blocked = prepared.taskId ? await readBlocked(prepared.taskId, prepared.action, wallet, deps) : []
  return {
    ready: false,
    simulation: { status: 'refused', error, reason, cure },
    ...(blocked.length > 0 && { blocked }),
    nextStep: blocked.some(({ cure }) => cure?.by === 'you')
      ? 'Prepare the cure in blocked first, then this action again.'
      : cure,
  }
}

const toOtherPayment = (amount: string) =>
  `Or pay ${amount} instead: call svc_prepare again with payFrom "usdc". It buys the missing TOK in the same batch.`

async function readBlocked(taskId: string, action: string, wallet: Address, { readTaskContext }: ToolDeps) {
  const { context, block } = await readTaskContext(parseTaskId(taskId), wallet)
  return context ? formatBlocked(context, wallet, block.timestamp).filter((each) => each.action === action) : []
}

/** Where a person approves it. A gateway is optional, so its failure is only a note, in our own words. */
async function requestApproval(
  prepared: PreparedJson,
  { calls: hasCalls, payFrom }: { calls: boolean; payFrom: PayFrom | undefined },
  deps: ToolDeps,
) {
  const nextStep = hasCalls
    ? 'Pass sendCalls to wallet_sendCalls of your wallet tool, then call svc_task_next_steps.'
    : 'Call it again with calls: true, and pass sendCalls to wallet_sendCalls of your wallet tool.'
  try {
    const request = await deps.requestApproval(prepared, payFrom)
    if (request) return formatApproval(request, hasCalls)
    return { note: 'No gateway is running at SVC_GATEWAY_URL, so there is no approvalUrl.', nextStep }
  } catch (error) {
    // A gateway that prepares another call than we did must not be used at all.
    if (!(error instanceof PrepareError) || error.code === 'GATEWAY_DIFFERS') throw toToolError(error)
    const { quota, plansUrl = '' } = error.details
    if (error.code === 'QUOTA_REACHED' && quota) {
      const { market, from } = prepared
      throw toToolError(createQuotaError(quota, { market, wallet: from, plansUrl: sanitizeUrl(plansUrl) }))
    }
    return { note: 'The gateway at SVC_GATEWAY_URL did not create a request, so there is no approvalUrl.', nextStep }
  }
}

/** Only one of the two ways may be used, or it happens twice. */
function formatApproval({ approvalUrl, requestId, expiresAt }: RequestJson, hasCalls: boolean) {
  return {
    approvalUrl: sanitizeUrl(approvalUrl),
    requestId,
    expiresAt,
    nextStep: hasCalls
      ? 'Give the person approvalUrl and poll svc_request_status, or pass sendCalls to your wallet tool. Never both: it would happen twice.'
      : 'Give the person approvalUrl and poll svc_request_status.',
  }
}
