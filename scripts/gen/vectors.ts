import { writeFile } from 'node:fs/promises'
import { callVectors } from './vectors/calls.ts'
import { envelopeVectors } from './vectors/envelopes.ts'
import { idVectors } from './vectors/ids.ts'
import { termsVectors } from './vectors/terms.ts'
import { textVectors } from './vectors/texts.ts'
import { typedDataVectors } from './vectors/typedData.ts'

/** Writes what ids, texts, terms, signatures, calls and envelopes must come to, for whoever implements the protocol: here TypeScript and Solidity. */
export async function genVectors(): Promise<void> {
  const vectors = {
    ids: idVectors(),
    texts: textVectors(),
    terms: termsVectors(),
    typedData: await typedDataVectors(),
    calls: callVectors(),
    envelopes: await envelopeVectors(),
  }
  for (const [name, json] of Object.entries(vectors)) {
    await writeFile(new URL(`../../packages/protocol/vectors/${name}.json`, import.meta.url), ascii(json))
  }
  const { ids, texts, terms, typedData, calls, envelopes } = vectors
  const signed =
    typedData.acceptances.digests.length + typedData.permits.digests.length + typedData.cancels.digests.length
  console.log(
    `${ids.ids.length + ids.refused.length} ids, ${texts.names.length} texts, ${terms.names.length} terms, ${signed} signatures, ${calls.names.length} calls, ${envelopes.hashes.length} envelopes -> packages/protocol/vectors`,
  )
}

/** JSON that shows a combining or invisible character, and that no editor composes anew. */
function ascii(json: unknown): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return `${JSON.stringify(json, null, 1).replace(/[^\n -~]/g, escaped)}\n`
}
