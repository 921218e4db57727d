import type { Abi, AbiEvent, AbiParameter } from 'viem'

/**
 * Formats an ABI as Solidity signatures, one per line, structs first: a quarter of its JSON, and parseAbi reads it back.
 * Omits the constructor, because only a deployment calls it.
 */
export function formatSignatures(abi: Abi): string[] {
  const structs = new Map<string, string>()
  const declared = (parameter: AbiParameter): string => {
    if (!('components' in parameter)) return parameter.type
    const name = parameter.internalType?.match(/^struct (?:\w+\.)?(\w+)/)?.[1]
    if (!name) throw new Error(`Found a tuple without a struct name: ${JSON.stringify(parameter)}`)
    // Members first: a nested struct is declared before the one that contains it.
    const members = parameter.components.map((member) => `${declared(member)} ${member.name};`).join(' ')
    structs.set(name, `struct ${name} { ${members} }`)
    return parameter.type.replace('tuple', name)
  }
  const list = (parameters: AbiEvent['inputs']) =>
    parameters
      .map((parameter) => [declared(parameter), parameter.indexed ? 'indexed' : '', parameter.name ?? ''])
      .map((words) => words.filter(Boolean).join(' '))
      .join(', ')
  const signatures = abi.flatMap((entry) => {
    switch (entry.type) {
      case 'function': {
        const view = entry.stateMutability === 'nonpayable' ? '' : ` ${entry.stateMutability}`
        const returns = entry.outputs.length === 0 ? '' : ` returns (${list(entry.outputs)})`
        return `function ${entry.name}(${list(entry.inputs)})${view}${returns}`
      }
      case 'event':
      case 'error':
        return `${entry.type} ${entry.name}(${list(entry.inputs)})`
      case 'constructor':
        return []
      default:
        throw new Error(`Unexpected ABI entry: ${entry.type}.`)
    }
  })
  return [...structs.values(), ...signatures]
}
