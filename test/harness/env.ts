/** The URL of the shared demo world. A test run sets it for its workers. */
export const sharedWorld = {
  get: (): string | undefined => process.env.SVC_TEST_WORLD,
  set: (url: string): void => {
    process.env.SVC_TEST_WORLD = url
  },
}

/** The URL that builds the site. A test run sets it for its workers. */
export const sharedSite = {
  get: (): string | undefined => process.env.SVC_TEST_SITE,
  set: (url: string): void => {
    process.env.SVC_TEST_SITE = url
  },
}

/** The factor for random cases: the variable RUNS, or 1. */
export function runsFactor(): number {
  const text = process.env.RUNS || '1'
  const factor = Number(text)
  if (!(factor > 0 && factor <= 1000)) throw new Error(`RUNS is ${text}; give a number above 0, at most 1000.`)
  return factor
}

/** Whether `pnpm rehearse` runs everything, or CI the short form. */
export const isFullRehearsal = (): boolean => process.env.REHEARSE === 'full'
