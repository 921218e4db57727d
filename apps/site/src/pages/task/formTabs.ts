/** The tab that has the form of a step. Every other step opens its receipt. */
export const formTabs: Readonly<Record<string, 'work' | 'dispute'>> = {
  'submit-proof': 'work',
  'request-revision': 'work',
  'open-dispute': 'work',
  'submit-evidence': 'dispute',
  'resolve-dispute': 'dispute',
  'decide-dispute': 'dispute',
}
