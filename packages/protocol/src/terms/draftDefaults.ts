/** What takes the place of a field that a draft leaves out; for `reviewWithin` it is the market's `defaultReviewWindow`. */
export const draftDefaults = {
  market: 'standard',
  claimWithin: '3 days',
  maxRevisions: 1,
  claimPolicy: 'ANYONE',
} as const
