import { globSync } from 'node:fs'

/** Lists the sources of the contracts, by path. */
export const listContractSources = (root: string): string[] => globSync('contracts/src/**/*.sol', { cwd: root }).sort()
