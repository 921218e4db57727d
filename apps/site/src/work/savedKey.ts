const prefix = 'svc-key-saved-'

/** Whether the reading key of a wallet was saved, or its owner does not want to be asked again. */
export function isSaved(wallet: string): boolean {
  try {
    return localStorage.getItem(prefix + wallet.toLowerCase()) !== null
  } catch {
    // A browser that stores nothing has no key to save either.
    return true
  }
}

export const rememberSaved = (wallet: string): void =>
  change((store) => store.setItem(prefix + wallet.toLowerCase(), '1'))

/** A new key was not saved yet. */
export const forgetSaved = (wallet: string): void => change((store) => store.removeItem(prefix + wallet.toLowerCase()))

function change(apply: (store: Storage) => void): void {
  try {
    apply(localStorage)
  } catch {
    // Then the user is asked again.
  }
}
