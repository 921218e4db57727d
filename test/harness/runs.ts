import { runsFactor } from './env.ts'

/**
 * Returns how many random cases a property test tries. `count` is what CI runs; the environment variable RUNS scales it
 * (0.1 for a quick look, 10 for `.ci/run --deep`). `least` is for tests that need some cases to see everything once.
 */
export function runs(count: number, least = 1): number {
  return Math.max(least, Math.round(count * runsFactor()))
}
