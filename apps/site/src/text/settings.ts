/** Text of the settings. */
export const settingsText = {
  title: 'Settings',
  description: 'Your choices here are kept in this browser only.',
  theme: { label: 'Theme', system: 'System', light: 'Light', dark: 'Dark' },
  market: {
    label: 'Market',
    description:
      'Standard has longer deadlines, micro is for small and quick tasks. Wallets, deposits and records are separate.',
  },
  notifications: {
    label: 'Notifications',
    description: 'By e-mail, in this browser, or to a program of yours, before a deadline passes.',
  },
  data: {
    label: 'What the services store about you',
    description:
      'Your messages, the backup of your key, your notifications and where they go. What is on the chain is not theirs to delete.',
    export: 'Save a copy',
    exported: 'Saved as a file. Messages and keys in it stay encrypted.',
    delete: 'Delete…',
    deleteSays:
      'Messages, the backup of your key, notifications and saved searches are gone at once, and every device is signed out.',
    confirm: 'Delete now',
    deleted: 'Deleted. Every device is signed out.',
    stays: 'What stays, and why:',
  },
  storage: {
    label: 'What this browser stores',
    description: 'No account and no cookie. This is all that the site remembers here:',
    drafts: (count: number) => (count === 1 ? '1 draft of a task' : `${count} drafts of tasks`),
    transactions: (count: number) => (count === 1 ? '1 transaction' : `${count} transactions`),
    transactionsSays: 'The list behind "Your transactions". They stay on the chain whatever you do here.',
    draftsSays: 'What you typed and have not posted yet.',
    work: 'Drafts of deliveries, change requests, evidence and reasons',
    workSays: 'Their text and files, until the chain has what you sent.',
    keys: 'Your reading keys',
    keysSays: 'They open the work that others send you. Save them above before you clear the data of this site.',
    messages: 'Messages that you sent and read',
    messagesSays: 'Decrypted. The store has them, sealed, for 180 days.',
    choices: 'Your theme, your market and your last wallet',
    clearDrafts: 'Delete drafts',
    clearWork: 'Delete drafts of work',
    clearTransactions: 'Clear the list',
    cleared: 'Deleted from this browser.',
  },
  advanced: 'Every action as a form',
  advancedSays: 'The advanced door: any action of the market, with all of its inputs.',
  open: 'Open',
} as const
