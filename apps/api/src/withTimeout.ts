/** Settles like `work`, or rejects after `ms` milliseconds. It does not cancel the work: a query that was sent keeps running. */
export function withTimeout<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((done, fail) => {
    const timeout = setTimeout(() => fail(new DOMException(`Timed out after ${ms} ms.`, 'TimeoutError')), ms)
    work.then(done, fail).finally(() => clearTimeout(timeout))
  })
}
