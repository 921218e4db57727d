/** Where a test run has its shared demo world: set by the run for its workers, and by nobody else. */
export const sharedWorld = {
  get: (): string | undefined => process.env.SVC_TEST_WORLD,
  set: (url: string): void => {
    process.env.SVC_TEST_WORLD = url
  },
}
