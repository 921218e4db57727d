import {
  buildTermsFromDraft,
  formatAmount,
  formatTermsText,
  type Market,
  parseTermsDraft,
  type TermsDocument,
  toTaskTerms,
} from '@svc/protocol'
import { actions } from '@svc/protocol/actions'
import { encodeActionField } from '@svc/protocol/internal/actions'
import type { DraftContext } from '@svc/protocol/internal/terms'
import type { SignedStatement } from '@svc/protocol/work'
import type { Price } from '../../usePrice.ts'
import { addUnit, formatCriteria, type PostDraft, readAmount, readTags, sumMilestones, toBriefFile } from './draft.ts'

// Apart from the draft: terms and actions are loaded when somebody is about to sign.

const postTask = actions['post-task']

/** The store that the terms name, and the poster's key statement, which is published with the text then. */
export interface PostStore {
  address: string
  statement: SignedStatement
}

/** Builds the terms of a draft. Throws an error with a message for people if the registry would refuse them. */
export function buildDraftTerms(
  draft: PostDraft,
  market: Market,
  price: Price | null,
  context: DraftContext,
  store: PostStore | null = null,
): TermsDocument {
  const optional = (typed: string) => (typed.trim() === '' ? undefined : typed.trim())
  const values = parseTermsDraft({
    market,
    title: optional(draft.title),
    criteria: optional(formatCriteria(draft)),
    ...(readTags(draft.tags).length > 0 && { tags: readTags(draft.tags) }),
    milestones: draft.milestones.map(({ title, amount, days }) => ({
      title: optional(title),
      amount: formatAmount(readAmount(amount, draft.unit, price) ?? 0n, 'tok'),
      duration: addUnit(days, 'days'),
    })),
    ...(draft.files.length > 0 && { files: draft.files.map(toBriefFile) }),
    claimWithin: addUnit(draft.claimDays, 'days'),
    reviewWithin: addUnit(draft.reviewHours, 'hours'),
    maxRevisions: draft.revisions.trim() === '' ? undefined : Number(draft.revisions),
    claimPolicy: draft.claimPolicy,
    arbitrator: optional(draft.arbitrator),
    store: store?.address ?? 'none',
    statement: store?.statement,
  })
  return buildTermsFromDraft(values, context)
}

/** Builds the input of post-task. Throws an error with a message for people if the registry would refuse the terms. */
export function buildPostTaskInput(
  draft: PostDraft,
  market: Market,
  price: Price | null,
  context: DraftContext,
  store: PostStore | null = null,
): Record<string, unknown> {
  const document = buildDraftTerms(draft, market, price, context, store)
  return {
    market,
    terms: encodeActionField(postTask, 'terms', toTaskTerms(document)),
    text: formatTermsText(document),
    fundAmountTokWei: String(draft.fundNow ? sumMilestones(draft, price) : 0n),
  }
}
