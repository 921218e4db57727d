import { type Market, marketParams, parseAmount, parseDuration } from '@svc/protocol'
import { defaultReviewWindow } from '@svc/protocol/internal/money'
import { areTags } from '@svc/protocol/internal/tasks'
import { draftDefaults } from '@svc/protocol/internal/terms'
import { type BriefFile, findBriefExcess } from '@svc/protocol/internal/work'
import { briefFilesText } from '../../text/briefFiles.ts'
import { text } from '../../text/post.ts'
import type { Price } from '../../usePrice.ts'
import type { BriefDraftFile } from '../../work/write/briefDraft.ts'
import { formatBytes } from '../../work/write/formatBytes.ts'

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
  /** What counts as done, point by point. Published below the text. */
  points: string[]
  /** Separated by commas. */
  tags: string
  milestones: MilestoneDraft[]
  /** Files of the brief. Their bytes are kept beside. */
  files: BriefDraftFile[]
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
  points: [],
  tags: '',
  milestones: [emptyMilestone],
  files: [],
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
    if (formatCriteria(draft) === '') problems.criteria = wrong.criteria
    const typed = readTags(draft.tags)
    if (typed.length > 0 && !areTags(typed)) problems.tags = wrong.tags
    const excess = findBriefProblem(draft.files, market)
    if (excess) problems.files = excess
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

/** Describes a file as the text of a task names it. */
export const toBriefFile = ({ name, type, size, sha256, for: audience }: BriefDraftFile): BriefFile => ({
  name,
  type,
  size,
  ...(audience === 'everyone' && sha256 !== null && { sha256 }),
})

/** Says why the files of a brief cannot be posted; null if they can. */
function findBriefProblem(files: readonly BriefDraftFile[], market: Market): string | null {
  const excess = findBriefExcess(files.map(toBriefFile), market)
  return excess && briefFilesText.excess[excess.audience](formatBytes(excess.limit))
}

/** Formats what should be done with the points that count, as it is published. */
export function formatCriteria({ criteria, points }: Pick<PostDraft, 'criteria' | 'points'>): string {
  const list = points.flatMap((point) => (point.trim() === '' ? [] : `- ${point.trim()}`))
  return [criteria.trim(), ...(list.length > 0 ? [`${text.describe.doneWhen}\n\n${list.join('\n')}`] : [])]
    .filter(Boolean)
    .join('\n\n')
}

/** Says when a draft that is posted now closes, how long each side has, and how often changes can be asked for. */
export function computeTimes(draft: PostDraft, market: Market, now: number) {
  const defaults = getDefaults(market)
  const read = (typed: string, unit: 'days' | 'hours', otherwise: number) =>
    readDuration(typed.trim() === '' ? String(otherwise) : typed, unit) ?? 0
  return {
    claimUntil: now + read(draft.claimDays, 'days', defaults.claimDays),
    work: draft.milestones.reduce((sum, { days }) => sum + read(days, 'days', 0), 0),
    review: read(draft.reviewHours, 'hours', defaults.reviewHours),
    revisions: Number(draft.revisions.trim() || defaults.revisions),
  }
}

/** Adds up the milestones, in TOK wei. Amounts that cannot be read count zero. */
export const sumMilestones = ({ milestones, unit }: PostDraft, price: Price | null): bigint =>
  milestones.reduce((sum, { amount }) => sum + (readAmount(amount, unit, price) ?? 0n), 0n)

function readDuration(typed: string, unit: 'days' | 'hours'): number | null {
  try {
    return parseDuration(addUnit(typed, unit) ?? '')
  } catch {
    return null
  }
}

/** The duration that was typed, in the unit of its field unless it names one. */
export function addUnit(typed: string, unit: 'days' | 'hours'): string | undefined {
  const trimmed = typed.trim()
  return trimmed === '' ? undefined : /[a-z]$/i.test(trimmed) ? trimmed : `${trimmed} ${unit}`
}
