import { writeFile } from 'node:fs/promises'
import { createCallVectors } from './vectors/calls.ts'
import { createEnvelopeVectors } from './vectors/envelopes.ts'
import { createIdVectors } from './vectors/ids.ts'
import { createProfileVectors } from './vectors/profiles.ts'
import { createTermsVectors } from './vectors/terms.ts'
import { createTextVectors } from './vectors/texts.ts'
import { createTypedDataVectors } from './vectors/typedData.ts'
import { createWorkVectors } from './vectors/work.ts'

/** Writes the expected ids, texts, terms, signatures, calls, envelopes, bundles and profiles for implementations of the protocol: here TypeScript and Solidity. */
export async function genVectors(): Promise<void> {
  const vectors = {
    ids: createIdVectors(),
    texts: createTextVectors(),
    terms: createTermsVectors(),
    typedData: await createTypedDataVectors(),
    calls: createCallVectors(),
    envelopes: await createEnvelopeVectors(),
    work: await createWorkVectors(),
    profiles: await createProfileVectors(),
  }
  for (const [name, json] of Object.entries(vectors)) {
    await writeFile(new URL(`../../packages/protocol/vectors/${name}.json`, import.meta.url), ascii(json))
  }
  const { ids, texts, terms, typedData, calls, envelopes, work, profiles } = vectors
  const signed =
    typedData.acceptances.digests.length +
    typedData.permits.digests.length +
    typedData.cancels.digests.length +
    typedData.receipts.digests.length
  console.log(
    `${ids.ids.length + ids.refused.length} ids, ${texts.names.length} texts, ${terms.names.length} terms, ${signed} signatures, ${calls.names.length} calls, ${envelopes.hashes.length} envelopes, ${work.bundles.length} bundles, ${profiles.profiles.length} profiles -> packages/protocol/vectors`,
  )
}

/** JSON in which combining and invisible characters are visible, and which no editor normalises. */
function ascii(json: unknown): string {
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  return `${JSON.stringify(json, null, 1).replace(/[^\n -~]/g, escaped)}\n`
}
