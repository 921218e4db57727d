export {
  assessArbitrator,
  suggestArbitrator,
} from '../../terms/assessArbitrator.ts'
export {
  changeTerms,
  type DraftContext,
  describeDraftIssue,
  parseDraftMilestones,
  type TermsDraft,
  termsDraft,
} from '../../terms/draft.ts'
export { draftDefaults } from '../../terms/draftDefaults.ts'
export type { TermsDocumentJson } from '../../terms/terms.ts'
