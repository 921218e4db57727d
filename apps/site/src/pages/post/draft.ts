import {
  buildTermsFromDraft,
  formatAmount,
  formatTermsText,
  type Market,
  marketParams,
  parseAmount,
  parseDuration,
  parseTermsDraft,
  type TermsDocument,
  toTaskTerms,
} from '@svc/protocol'
import { actions } from '@svc/protocol/actions'
import { encodeActionField } from '@svc/protocol/internal/actions'
import { defaultReviewWindow } from '@svc/protocol/internal/money'
import { tags as tagList } from '@svc/protocol/internal/tasks'
import { type DraftContext, draftDefaults } from '@svc/protocol/internal/terms'
import type { SignedStatement } from '@svc/protocol/work'
import { text } from '../../text/post.ts'
import type { Price } from '../../usePrice.ts'

const postTask = actions['post-task']
const tok = 10n ** 18n

export interface MilestoneDraft {
  title: string
  /** In the unit of the draft. */
  amount: string
  days: string
}

/** What was typed. It is kept in the browser until the task is posted. */
export interface PostDraft {
  title: string
  criteria: string
  /** Separated by commas. */
  tags: string
  milestones: MilestoneDraft[]
  /** Whether amounts are typed in TOK or in dollars. */
  unit: 'tok' | 'usd'
  claimDays: string
  reviewHours: string
  revisions: string
  claimPolicy: 'ANYONE' | 'PERMIT'
  arbitrator: string
  store: string
  /** Whether the store of the market is used, if none is typed. */
  usesStore: boolean
  fundNow: boolean
}

export const emptyMilestone: MilestoneDraft = { title: '', amount: '', days: '' }

export const emptyDraft: PostDraft = {
  title: '',
  criteria: '',
  tags: '',
  milestones: [emptyMilestone],
  unit: 'tok',
  claimDays: '',
  reviewHours: '',
  revisions: '',
  claimPolicy: 'ANYONE',
  arbitrator: '',
  store: '',
  usesStore: true,
  fundNow: true,
}

export const steps = ['describe', 'milestones', 'audience', 'review'] as const
export type Step = (typeof steps)[number]

/** What a market uses for a field that is left empty, in the unit of the field. */
export const getDefaults = (market: Market) => ({
  claimDays: parseDuration(draftDefaults.claimWithin) / 86_400,
  reviewHours: defaultReviewWindow[market] / 3_600,
  revisions: draftDefaults.maxRevisions,
})

/** Reads typed tags: `#Old photos, lang:pt` are `old-photos` and `lang:pt`. They need not be valid. */
export function readTags(typed: string): readonly string[] {
  const each = typed.split(',').map((tag) => tag.trim().replace(/^#/, '').toLowerCase().replace(/\s+/g, '-'))
  return [...new Set(each.filter((tag) => tag !== ''))]
}

/** Converts a typed amount to TOK wei. Dollars become whole TOK at the current price. Returns null if it is not an amount. */
export function readAmount(typed: string, unit: PostDraft['unit'], price: Price | null): bigint | null {
  try {
    if (unit === 'tok') {
      const amount = parseAmount(typed, 'tok')
      return amount > 0n ? amount : null
    }
    const usd = Number(typed.replace(/[$,\s]/g, ''))
    if (!price || !Number.isFinite(usd) || usd <= 0) return null
    return BigInt(Math.round(usd / price.usdPerTok)) * tok
  } catch {
    return null
  }
}

/** Finds what is wrong with a step, by the name of the field. */
export function findProblems(
  step: Step,
  draft: PostDraft,
  market: Market,
  price: Price | null,
): Readonly<Record<string, string>> {
  const problems: Record<string, string> = {}
  const { wrong } = text
  if (step === 'describe') {
    if (draft.title.trim() === '') problems.title = wrong.title
    if (draft.criteria.trim() === '') problems.criteria = wrong.criteria
    const typed = readTags(draft.tags)
    if (typed.length > 0 && !tagList.safeParse(typed).success) problems.tags = wrong.tags
  }
  if (step === 'milestones') {
    const { minDuration, maxDuration } = marketParams[market]
    for (const [index, { title, amount, days }] of draft.milestones.entries()) {
      if (title.trim() === '') problems[`title-${index}`] = wrong.milestoneTitle
      if (readAmount(amount, draft.unit, price) === null) problems[`amount-${index}`] = wrong.amount
      const seconds = readDuration(days, 'days')
      if (seconds === null || seconds < minDuration || seconds > maxDuration) {
        problems[`days-${index}`] = wrong.days(minDuration, maxDuration)
      }
    }
  }
  if (step === 'audience') {
    const { maxClaimDeadline, minReviewWindow, maxReviewWindow } = marketParams[market]
    const claim = draft.claimDays === '' ? 1 : readDuration(draft.claimDays, 'days')
    if (claim === null || claim <= 0 || claim > maxClaimDeadline) problems.claimDays = wrong.claimDays(maxClaimDeadline)
    const review = draft.reviewHours === '' ? minReviewWindow : readDuration(draft.reviewHours, 'hours')
    if (review === null || review < minReviewWindow || review > maxReviewWindow) {
      problems.reviewHours = wrong.reviewHours(minReviewWindow, maxReviewWindow)
    }
    if (!/^[0-3]?$/.test(draft.revisions.trim())) problems.revisions = wrong.revisions
    for (const name of ['arbitrator', 'store'] as const) {
      if (draft[name].trim() !== '' && !/^0x[0-9a-fA-F]{40}$/.test(draft[name].trim())) problems[name] = wrong.wallet
    }
  }
  return problems
}

/** Adds up the milestones, in TOK wei. Amounts that cannot be read count zero. */
export const sumMilestones = ({ milestones, unit }: PostDraft, price: Price | null): bigint =>
  milestones.reduce((sum, { amount }) => sum + (readAmount(amount, unit, price) ?? 0n), 0n)

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
    criteria: optional(draft.criteria),
    ...(readTags(draft.tags).length > 0 && { tags: readTags(draft.tags) }),
    milestones: draft.milestones.map(({ title, amount, days }) => ({
      title: optional(title),
      amount: formatAmount(readAmount(amount, draft.unit, price) ?? 0n, 'tok'),
      duration: addUnit(days, 'days'),
    })),
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

function readDuration(typed: string, unit: 'days' | 'hours'): number | null {
  try {
    return parseDuration(addUnit(typed, unit) ?? '')
  } catch {
    return null
  }
}

/** The duration that was typed, in the unit of its field unless it names one. */
function addUnit(typed: string, unit: 'days' | 'hours'): string | undefined {
  const trimmed = typed.trim()
  return trimmed === '' ? undefined : /[a-z]$/i.test(trimmed) ? trimmed : `${trimmed} ${unit}`
}
