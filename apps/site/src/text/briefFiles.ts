/** Text of the files of a brief: where the poster adds them, and on the page of the task. */
export const briefFilesText = {
  title: 'Files',
  help: 'You decide who can open each one. Names and sizes are public.',
  drop: 'Drop files here, or',
  choose: 'Choose files',
  adding: 'Reading the files …',
  audience: (name: string) => `Who can open ${name}`,
  audiences: { everyone: 'Everyone', worker: 'The worker' },
  limits: (files: number, everyone: string, worker: string) =>
    `Up to ${files} files: ${everyone} for everyone, ${worker} for the worker.`,
  remove: (name: string) => `Remove ${name}`,
  tooMany: (files: number) => `A task has at most ${files} files. Put them into an archive.`,
  excess: {
    everyone: (size: string) =>
      `The files for everyone have more than ${size}. Let only the worker open some, or link to them.`,
    worker: (size: string) => `The files for the worker have more than ${size}. Remove one, or link to it.`,
  },
  name: (name: string, why: string) => `"${name}" cannot be used as a name: ${why}. Rename the file.`,
  folder: 'Folders cannot be dropped. Choose the files, or put them into an archive.',
  notKept: 'This browser stores no files. Do not close the page before the task is posted and the files are sent.',
  noStore: 'This market has no store for files. Link to them in the text.',
  more: (count: number) => `${count} for the worker`,

  forEveryone: 'Anyone can open these. Their hashes are part of the task, so nobody can swap them.',
  forWorker: 'Files for the worker',
  locked:
    'Whoever gets the task can open these, and a judge if there is a dispute. For everyone else they stay encrypted.',
  notStored: 'The file is not at the store yet. The poster has to send it.',
  /** Who has no name. */
  poster: 'the poster',
  looking: 'Looking for the files …',
  signIn: 'Sign in to open them',
  state: {
    posterOpen:
      'Encrypted, and only you can open them now. Once somebody has the task, this browser shares them from any page of this site. If you are away then, the worker waits for you.',
    posterShares: 'Encrypted. This browser shares them with the worker as soon as the worker has signed in.',
    worker: (name: string) =>
      `Not shared with you yet. That happens when ${name} next opens this site. Ask in Talk, and start once you have them.`,
    workerAction: 'Ask in Talk',
    judge: 'Not shared with you. Ask either side for them before you rule, or step down: it is free.',
  },
  send: {
    title: 'Your files are not at the store yet',
    description: 'Nobody can open them before they are sent.',
    button: 'Send the files',
    sending: 'Encrypting and sending the files …',
    sent: 'Your files are at the store.',
    again: 'This browser does not have them any more. Choose the same files again.',
    missing: (names: string) => `Still missing, exactly as they were: ${names}`,
  },
} as const
