import { readFile } from 'node:fs/promises'
import { type AbiEvent, type AbiFunction, toFunctionSignature } from 'viem'

interface NatSpecEntry {
  notice?: string
  details?: string
  params?: Record<string, string>
  returns?: Record<string, string>
}

/** The NatSpec of a contract, its functions and its events. */
export interface NatSpec {
  purpose: string
  byName: ReadonlyMap<string, NatSpecEntry>
}

interface Docs {
  userdoc: { notice?: string; methods?: Record<string, NatSpecEntry>; events?: Record<string, NatSpecEntry> }
  devdoc: { title?: string; methods?: Record<string, NatSpecEntry>; events?: Record<string, NatSpecEntry> }
}

/** Reads the NatSpec of a compiled contract, and of its interface where the contract inherits it. */
export async function readNatSpec(root: string, name: string): Promise<NatSpec> {
  const own = await readDocs(root, name)
  const declared = await readDocs(root, `I${name}`).catch(() => null)
  const notices = [own.userdoc.notice, declared?.userdoc.notice].filter((notice) => notice !== undefined)
  const byName = new Map<string, NatSpecEntry>()
  for (const { userdoc, devdoc } of [declared, own].filter((docs) => docs !== null)) {
    for (const part of [userdoc.methods, userdoc.events, devdoc.methods, devdoc.events]) {
      for (const [signature, note] of Object.entries(part ?? {}))
        byName.set(signature, { ...byName.get(signature), ...note })
    }
  }
  const purpose = [own.devdoc.title ?? declared?.devdoc.title, ...notices]
    .map((text) => text && endWithPeriod(text))
    .filter(Boolean)
  return { purpose: purpose.join(' '), byName }
}

/** Describes a function or an event, with its documented parameters and results in the order of the signature. */
export function describeEntry({ byName }: NatSpec, entry: AbiFunction | AbiEvent): string {
  const { notice, details, params = {}, returns = {} } = byName.get(toFunctionSignature(entry as AbiFunction)) ?? {}
  const inputs = entry.inputs.map(({ name = '' }) => params[name] && `\`${name}\`: ${params[name]}`)
  const outputs = entry.type === 'function' ? entry.outputs : []
  const results = outputs.map(({ name }, i) => {
    // The compiler documents what has no name under its number.
    const words = returns[name || `_${i}`]
    return words && (name ? `\`${name}\`: ${words}` : `Returns: ${words}`)
  })
  const text = [notice, details].filter((part) => part !== undefined).join(' ')
  return [text, ...inputs, ...results].filter(Boolean).join('<br>')
}

const endWithPeriod = (text: string) => (/[.:]$/.test(text) ? text : `${text}.`)

async function readDocs(root: string, name: string): Promise<Docs> {
  const { rawMetadata } = JSON.parse(await readFile(`${root}/contracts/out/${name}.sol/${name}.json`, 'utf8'))
  return JSON.parse(rawMetadata).output
}
