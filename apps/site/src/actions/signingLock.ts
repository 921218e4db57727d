/** The lock of a request. The tab that signs or tracks it holds it, and the browser releases it when the tab closes. */
const nameLock = (key: string) => `svc-sign-${key}`

/** Runs something while no other tab signs the same request. Returns false, without running it, if another tab does. */
export async function withSigningLock(key: string, run: () => Promise<void>): Promise<boolean> {
  if (!navigator.locks) {
    await run()
    return true
  }
  return navigator.locks.request(nameLock(key), { ifAvailable: true }, async (lock) => {
    if (lock) await run()
    return lock !== null
  })
}

/** Runs something once no other tab signs or tracks the same request. */
export async function afterSigning(key: string, run: () => Promise<void>): Promise<void> {
  if (navigator.locks) await navigator.locks.request(nameLock(key), run)
  else await run()
}
