/** What work settles as, or an error after so many milliseconds. The work itself goes on: nobody can take back what was sent. */
export function within<T>(ms: number, work: Promise<T>): Promise<T> {
  return new Promise((done, fail) => {
    const timeout = setTimeout(() => fail(new Error(`Nothing was heard for ${ms} ms.`)), ms)
    work.then(done, fail).finally(() => clearTimeout(timeout))
  })
}
