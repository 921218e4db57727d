import type { Creation } from '@svc/devnet/suite'

const names: Readonly<Record<string, string>> = { TimelockController: 'TimelockController' }
const openZeppelin: Readonly<Record<string, string>> = {
  TimelockController: 'node_modules/@openzeppelin/contracts/governance/TimelockController.sol',
}

/** Finds the source and the name of the contract that a creation creates, such as `micro taskRegistry`. */
export function findSource({ name }: Pick<Creation, 'name'>): { source: string; contract: string } {
  const last = name.split(' ').at(-1) ?? name
  const contract = names[last] ?? `${last.slice(0, 1).toUpperCase()}${last.slice(1)}`
  return { source: openZeppelin[contract] ?? `contracts/src/${contract}.sol`, contract }
}
