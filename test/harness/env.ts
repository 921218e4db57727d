import { dirname } from 'node:path'

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

/** The folder of the bundled programs, if `.ci/run` made them. */
export const programBundles = {
  get: (): string | undefined => process.env.SVC_TEST_PROGRAMS,
}

/** The factor for random cases: the variable RUNS, or 1. */
export function runsFactor(): number {
  const text = process.env.RUNS || '1'
  const factor = Number(text)
  if (!(factor > 0 && factor <= 1000)) throw new Error(`RUNS is ${text}; give a number above 0, at most 1000.`)
  return factor
}

/** Whether this is `.ci/run --deep`. */
export const isDeepRun = (): boolean => runsFactor() >= 10

/** Whether `pnpm rehearse` runs everything, or CI the short form. */
export const isFullRehearsal = (): boolean => process.env.REHEARSE === 'full'

/** Node's folder for compiled files. A test run sets one, unless there is one. */
export const compileCache = {
  /**
   * The variable, for a process that is started with an environment of its own. Most of the CPU time of a start is loading the
   * sources, and this halves it.
   */
  env: (): Record<string, string> => {
    const folder = process.env.NODE_COMPILE_CACHE
    return folder ? { NODE_COMPILE_CACHE: folder } : {}
  },
  setDefault: (folder: string): void => {
    process.env.NODE_COMPILE_CACHE ??= folder
  },
}

/** The environment with Node, and without the programs of this repository: somebody has only what a page tells them to install. */
export function withoutOurPrograms(): NodeJS.ProcessEnv {
  const path = process.env.PATH?.split(':').filter((entry) => !entry.endsWith('node_modules/.bin'))
  return { ...process.env, PATH: [dirname(process.execPath), ...(path ?? [])].join(':') }
}
