/** Text about reading keys and sign-ins. */
export const workKeysText = {
  noSignature: 'Your wallet did not return a signature. Try again, or use another wallet.',
  damaged:
    'The reading key in this browser is damaged. Restore it from your recovery file, or remove the data of this site in your browser.',
  noWallet: 'Sign in first.',
  otherWallet: (wallet: string) => `This recovery file is for ${wallet}. Connect that wallet, and try again.`,
  title: 'Your reading key',
  description:
    'It opens work that is shared with you, and lives in this browser only. It cannot move money. If you lose it, nobody can open your old work for you.',
  signIn: 'Sign in',
  signedIn: 'You are signed in.',
  save: {
    open: 'Save a recovery file',
    description:
      'The file is encrypted with your passphrase. Keep both: without the passphrase it is useless, for you too.',
    passphrase: 'Passphrase',
    again: 'Passphrase again',
    button: 'Save the file',
    short: (min: number) => `The passphrase needs at least ${min} characters.`,
    different: 'The two passphrases are different.',
    done: 'The recovery file was saved. Keep it in a safe place.',
  },
  restore: {
    open: 'Restore from a file',
    description:
      'Your wallet signs in once more with the restored key. A key that this browser has stays usable for old work.',
    file: 'Recovery file',
    passphrase: 'Its passphrase',
    button: 'Restore',
    noFile: 'Choose your recovery file.',
    wrongFile: 'This is not a recovery file. Expected a small .age file.',
    done: 'Your key was restored.',
  },
  rotate: {
    open: 'Replace the key',
    description:
      'Do this if somebody else may have your key. New work is encrypted for the new one; this browser keeps the old one for old work.',
    button: 'Replace it now',
    done: 'Your key was replaced. Save a new recovery file.',
  },
  notice: {
    description:
      'Work that is shared with you can be opened with the key of this browser only. Save it, in case you lose this device.',
    save: 'Save the key',
    dismiss: 'Not now',
  },
} as const
