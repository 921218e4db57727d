import { agreementsAbi, arbitrationAbi, depositVaultAbi, taskRegistryAbi, tokTokenAbi } from '@svc/protocol/abis'
import { type Hex, toFunctionSelector } from 'viem'

const entries = [...taskRegistryAbi, ...agreementsAbi, ...arbitrationAbi, ...depositVaultAbi, ...tokTokenAbi]

/** Returns the selector of a custom error. Throws for a name that no contract declares. */
export function errorSelector(name: string): Hex {
  const found = entries.find((entry) => entry.type === 'error' && entry.name === name)
  if (found?.type !== 'error') throw new Error(`No contract declares the error ${name}`)
  const types = found.inputs.map((input: { type: string }) => input.type)
  return toFunctionSelector(`function ${name}(${types.join(',')})`)
}
