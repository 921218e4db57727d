export {
  assessArbitrator,
  suggestArbitrator,
} from '../../terms/assessArbitrator.ts'
export {
  changeTerms,
  type DraftContext,
  describeDraftIssue,
  draftDefaults,
  parseDraftMilestones,
  type TermsDraft,
  termsDraft,
} from '../../terms/draft.ts'
export type { TermsDocumentJson } from '../../terms/terms.ts'
