/** What the HTML says when the app itself does not load. */
export const firstText = {
  failed: 'The rest of this page did not load. Check your connection, then try again.',
  reload: 'Reload',
} as const
