import { afterAll, beforeAll } from 'vitest'

/**
 * Starts something before the tests of this file or block, and stops it after them, with its function of this name. The result is
 * empty until then.
 */
export function startForTests<Name extends string, Started extends Record<Name, () => Promise<unknown>>>(
  start: () => Promise<Started>,
  stop: Name,
): Started {
  const started = {} as Started
  beforeAll(async () => {
    Object.assign(started, await start())
  })
  afterAll(() => started[stop]?.())
  return started
}
