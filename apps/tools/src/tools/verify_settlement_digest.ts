import { createSigningContext } from '@svc/chain'
import {
  computeSettlementDigest,
  formatTaskId,
  hashTaskText,
  sealTerms,
  type TaskId,
  type TermsDocument,
  TextTooLongError,
} from '@svc/protocol'
import { type Hex, zeroAddress } from 'viem'
import { z } from 'zod'
import { buildMeta, meta, taskId } from '../fields.ts'
import { isForDeployment, parseTermsDocument, refused, termsInput } from '../parseTerms.ts'
import { readTask } from '../taskAnswer.ts'
import { defineTool, type ToolDeps } from '../tool.ts'

interface Check {
  check: string
  ok: boolean
  expected: string
  found: string
}

export const verifySettlementDigest = defineTool({
  name: 'svc_verify_settlement_digest',
  title: 'Verify a settlement digest',
  description:
    'Recomputes the digest of a terms document, of a task on chain, or of both and compares them. Call it before you sign, claim or work.',
  input: z.strictObject({
    terms: termsInput.optional(),
    id: taskId.optional().describe('Task on the chain. Give terms, id, or both.'),
  }),
  output: z.looseObject({
    matches: z.boolean().describe('True if every check is ok.'),
    settlementDigest: z.string().describe('Digest on the chain, or else of the document.'),
    checks: z
      .array(
        z.looseObject({
          check: z.string().describe('What was compared.'),
          ok: z.boolean().describe('True if it matches.'),
        }),
      )
      .describe('Every comparison.'),
    meta,
  }),
  async run({ terms: given, id }, deps) {
    if (!given && !id) throw refused('Pass a terms document, a task id, or both.')
    const terms = given ? parseTermsDocument(given, deps) : null
    const ofTerms = terms ? checkTerms(terms, deps) : { checks: [], digest: null }
    const onChain = id ? await checkTask(id, deps) : null
    const both = compare(terms, ofTerms.digest, onChain, id)
    const checks = [...ofTerms.checks, ...(onChain?.checks ?? []), ...both]
    const block = onChain?.block ?? (await deps.reader.head())
    return {
      matches: checks.every(({ ok }) => ok),
      settlementDigest: onChain?.digest ?? ofTerms.digest ?? '',
      ...(id && { taskId: formatTaskId(id) }),
      checks: checks.map((each) => ({ ...each })),
      meta: buildMeta(block),
    }
  },
})

const check = (name: string, expected: string, found: string): Check => ({
  check: name,
  ok: expected.toLowerCase() === found.toLowerCase(),
  expected,
  found,
})

/** Checks the hashes of a document and whether it is for this deployment. */
function checkTerms(terms: TermsDocument, { deployments }: ToolDeps): { checks: Check[]; digest: Hex } {
  const sealed = resealTermsOrRefuse(terms)
  return {
    digest: sealed.settlementDigest,
    checks: [
      check('criteriaHash in the document', sealed.criteriaHash, terms.criteriaHash),
      check('settlementDigest in the document', sealed.settlementDigest, terms.settlementDigest),
      check(
        'chain, registry and token',
        'of this market',
        isForDeployment(terms, deployments) ? 'of this market' : 'others',
      ),
    ],
  }
}

function resealTermsOrRefuse(terms: TermsDocument): TermsDocument {
  try {
    return sealTerms(terms)
  } catch (error) {
    if (error instanceof TextTooLongError) throw refused(error.message)
    throw error
  }
}

/** Checks the digest of a task on chain against its terms and its published text. */
async function checkTask(id: TaskId, deps: ToolDeps) {
  const { detail, block } = await readTask(deps, id)
  const { task, terms, text } = detail
  const digest = computeSettlementDigest(
    createSigningContext(deps.deployments, id.market),
    terms,
    task.worker ?? zeroAddress,
  )
  return {
    block,
    digest: task.settlementDigest,
    criteriaHash: terms.criteriaHash,
    checks: [
      check('settlementDigest on chain', digest, task.settlementDigest),
      ...(text === null ? [] : [check('published text', terms.criteriaHash, hashTaskText(text))]),
    ],
  }
}

function compare(
  terms: TermsDocument | null,
  digest: Hex | null,
  onChain: Awaited<ReturnType<typeof checkTask>> | null,
  id: TaskId | undefined,
): Check[] {
  if (!terms || !digest || !onChain || !id) return []
  return [
    check('market of document and task', terms.market, id.market),
    check('criteriaHash of document and task', terms.criteriaHash, onChain.criteriaHash),
    check('settlementDigest of document and task', digest, onChain.digest),
  ]
}
