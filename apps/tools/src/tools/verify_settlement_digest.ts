import { signingContext } from '@svc/chain'
import {
  criteriaHash,
  formatTaskId,
  sealTerms,
  settlementDigest,
  type TaskId,
  type TermsDocument,
  TextTooLongError,
} from '@svc/protocol'
import { type Hex, zeroAddress } from 'viem'
import { z } from 'zod'
import { meta, metaOf, taskId } from '../fields.ts'
import { isHere, readTerms, refused, termsInput } from '../givenTerms.ts'
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
  input: z.strictObject({ terms: termsInput.optional(), id: taskId.optional() }),
  output: z.looseObject({
    matches: z.boolean(),
    settlementDigest: z.string(),
    checks: z.array(z.looseObject({ check: z.string(), ok: z.boolean() })),
    meta,
  }),
  async run({ terms: given, id }, deps) {
    if (!given && !id) throw refused('Give a terms document, a task id, or both.')
    const terms = given ? readTerms(given) : null
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
      meta: metaOf(id?.market ?? terms?.market ?? 'standard', block),
    }
  },
})

const check = (name: string, expected: string, found: string): Check => ({
  check: name,
  ok: expected.toLowerCase() === found.toLowerCase(),
  expected,
  found,
})

/** A document against its own words and numbers, and against this deployment. */
function checkTerms(terms: TermsDocument, { deployments }: ToolDeps): { checks: Check[]; digest: Hex } {
  const sealed = resealed(terms)
  return {
    digest: sealed.settlementDigest,
    checks: [
      check('criteriaHash in the document', sealed.criteriaHash, terms.criteriaHash),
      check('settlementDigest in the document', sealed.settlementDigest, terms.settlementDigest),
      check('chain, registry and token', 'of this market', isHere(terms, deployments) ? 'of this market' : 'others'),
    ],
  }
}

function resealed(terms: TermsDocument): TermsDocument {
  try {
    return sealTerms(terms)
  } catch (error) {
    if (error instanceof TextTooLongError) throw refused(error.message)
    throw error
  }
}

/** A task's digest on chain against the terms and the text that it was posted with. */
async function checkTask(id: TaskId, deps: ToolDeps) {
  const { detail, block } = await readTask(deps, id)
  const { task, terms, text } = detail
  const digest = settlementDigest(signingContext(deps.deployments, id.market), terms, task.worker ?? zeroAddress)
  return {
    block,
    digest: task.settlementDigest,
    criteriaHash: terms.criteriaHash,
    checks: [
      check('settlementDigest on chain', digest, task.settlementDigest),
      ...(text === null ? [] : [check('published text', terms.criteriaHash, criteriaHash(text))]),
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
