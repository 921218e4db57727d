import { readFile } from 'node:fs/promises'
import { type AbiEvent, type AbiFunction, toFunctionSignature } from 'viem'

interface Note {
  notice?: string
  details?: string
  params?: Record<string, string>
  returns?: Record<string, string>
}

/** What NatSpec says of a contract, its functions and its events. */
export interface Notes {
  purpose: string
  byName: ReadonlyMap<string, Note>
}

interface Docs {
  userdoc: { notice?: string; methods?: Record<string, Note>; events?: Record<string, Note> }
  devdoc: { title?: string; methods?: Record<string, Note>; events?: Record<string, Note> }
}

/** The NatSpec of a compiled contract; what it leaves to its interface is read there. */
export async function readNotes(root: string, name: string): Promise<Notes> {
  const own = await docsOf(root, name)
  const declared = await docsOf(root, `I${name}`).catch(() => null)
  const notices = [own.userdoc.notice, declared?.userdoc.notice].filter((notice) => notice !== undefined)
  const byName = new Map<string, Note>()
  for (const { userdoc, devdoc } of [declared, own].filter((docs) => docs !== null)) {
    for (const part of [userdoc.methods, userdoc.events, devdoc.methods, devdoc.events]) {
      for (const [signature, note] of Object.entries(part ?? {}))
        byName.set(signature, { ...byName.get(signature), ...note })
    }
  }
  const purpose = [own.devdoc.title ?? declared?.devdoc.title, ...notices]
    .map((text) => text && sentence(text))
    .filter(Boolean)
  return { purpose: purpose.join(' '), byName }
}

/** What is said of one function or event, with its parameters where they have words of their own. */
export function notesOf({ byName }: Notes, entry: AbiFunction | AbiEvent): string {
  const { notice, details, params = {}, returns = {} } = byName.get(toFunctionSignature(entry as AbiFunction)) ?? {}
  const named = Object.entries({ ...params, ...returns }).map(([name, words]) => `\`${name}\`: ${words}`)
  return [notice, details, ...named].filter((text) => text !== undefined).join(' ')
}

const sentence = (text: string) => (/[.:]$/.test(text) ? text : `${text}.`)

async function docsOf(root: string, name: string): Promise<Docs> {
  const { rawMetadata } = JSON.parse(await readFile(`${root}/contracts/out/${name}.sol/${name}.json`, 'utf8'))
  return JSON.parse(rawMetadata).output
}
