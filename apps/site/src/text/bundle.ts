import type { BundleKind } from '@svc/protocol/work'

const plural = (count: number, one: string, many: string) => `${count.toLocaleString('en')} ${count === 1 ? one : many}`

/** Text of delivered work, evidence and reasons, wherever they are shown. */
export const bundleText = {
  /** After the author's name. */
  by: {
    delivery: 'delivered',
    revision: 'asked for changes',
    evidence: 'gave evidence',
    ruling: 'gave reasons',
    brief: 'attached',
  } satisfies Record<BundleKind, string>,
  noText: 'No text, only files.',
  textCut: 'The text is longer than what is shown here.',
  saveText: 'Download all of it',
  links: 'Links',
  linksHelp: 'They lead out of this site. Nobody has checked where.',
  files: (count: number) => plural(count, 'file', 'files'),
  show: 'Show',
  hide: 'Hide',
  download: 'Download',
  named: (verb: string, name: string) => `${verb} ${name}`,
  readingFile: 'Fetching and checking the file',
  fileFailed: 'This file could not be read.',
  noPreview: {
    empty: 'The file is empty.',
    active: 'Pages, drawings with code and PDF files are not opened here. Download it if you trust its author.',
    binary: 'Only text and pictures are shown here. Download it to open it.',
    pixels: 'The picture is too large to draw here.',
    tooLarge: 'The file is too large to show here.',
  },
  fileCut: 'Only the beginning is shown. Download the file to see all of it.',
  rowsCut: (shown: number) => `The first ${shown} rows.`,
  picture: (name: string, width: number, height: number) => `${name}, ${width} by ${height} pixels`,

  checked: {
    title: 'Verified on chain',
    how: 'This page computed the hash itself and compared it with the chain. It covers the text, every file, and who can read them.',
    matches: 'Author, task, milestone and version match too.',
    hash: 'Hash on chain',
    copyHash: 'Copy the hash',
    transaction: 'Transaction',
    copyTransaction: 'Copy the transaction',
    isPublic: 'Public: anyone can read it.',
    sealed: 'Encrypted for',
  },
  unchecked: 'Hash on chain',

  /** Before the wallets that may read it. */
  readers: 'Can be read by',
  signIn: 'Sign in to read',
  connect: 'Connect the wallet of a party or a judge to open it.',
  open: 'Open',

  changes: {
    title: (version: number) => `Changed since version ${version}`,
    none: 'The files are the same as in the version before.',
    kinds: { added: 'New', removed: 'Removed', changed: 'Changed' },
    compare: 'Compare',
    reading: 'Comparing',
    tooLarge: 'The two versions are too long or too different to compare line by line.',
    notText: 'Only text is compared line by line.',
    sameText: 'Both versions have the same text. They differ in hidden characters or line ends.',
    counts: (added: number, removed: number) =>
      `${plural(added, 'line', 'lines')} added, ${plural(removed, 'line', 'lines')} removed`,
    cut: (shown: number) => `The first ${shown} changed and neighbouring lines.`,
    before: 'Before',
    after: 'After',
    line: 'Line',
  },
} as const
