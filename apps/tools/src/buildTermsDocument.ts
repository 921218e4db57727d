import { createSigningContext } from '@svc/chain'
import { buildTermsFromDraft, type TermsDocument } from '@svc/protocol'
import { payee } from '@svc/protocol/internal/base'
import { termsDraft } from '@svc/protocol/internal/terms'
import { briefAudiences, briefLimits } from '@svc/protocol/internal/work'
import { listFilesInside } from '@svc/work/folder'
import { z } from 'zod'
import { refuseInvalidTerms } from './parseTerms.ts'
import { randomNonce } from './randomNonce.ts'
import type { ToolDeps } from './tool.ts'
import { describeBriefFiles } from './work/brief.ts'
import { chooseStore } from './work/termsStore.ts'
import { withWorkErrors } from './work/toolWork.ts'

// The nonce is random, the statement that of the wallet that signed in, and the files are read here.
const { nonce: _, statement: __, files: ___, ...shape } = termsDraft.shape

/** A draft of terms as the tools take it: the store is the market's own, unless the draft names another one or says that it wants none. */
export const toolDraft = z.strictObject({
  ...shape,
  poster: payee.check(z.describe('Wallet that posts and pays.')),
  files: z
    .array(
      z.strictObject({
        name: z.string().max(240).describe('Name.'),
        for: z.enum(briefAudiences).describe('Reader.'),
      }),
    )
    .max(briefLimits.files)
    .default([])
    .describe('Files in <work folder>/new/outbox; names are published. Then: svc_send_work.'),
  store: termsDraft.shape.store.check(z.describe("Default: the market's own. none: silence pays for any hash.")),
})

/** Builds the terms of a draft, with the store and what speaks against having none. Throws `ToolError`. */
export async function buildTermsDocument(
  { store, files, ...draft }: z.output<typeof toolDraft>,
  { deployments, reader, work }: Pick<ToolDeps, 'deployments' | 'reader' | 'work'>,
): Promise<{ document: TermsDocument; warnings: string[] }> {
  const { timestamp: now } = await reader.head()
  const { fields, warnings } = await chooseStore({ ...draft, store }, work)
  const described = files.length > 0 ? await describeFiles(files, work) : null
  const document = refuseInvalidTerms(() =>
    buildTermsFromDraft(
      { ...draft, ...fields, ...(described && { files: described }) },
      { signing: (market) => createSigningContext(deployments, market), now, nonce: randomNonce() },
    ),
  )
  return { document, warnings }
}

/** Describes files of the folder of new tasks. Nothing else on this machine can be named. */
const describeFiles = (files: z.output<typeof toolDraft>['files'], work: ToolDeps['work']) =>
  withWorkErrors(async () => {
    const { path } = await work.openTaskFolder('new', 'outbox')
    const names = files.map(({ name }) => name)
    const local = await listFilesInside(path, names)
    return describeBriefFiles(local, (name) => files.some((each) => each.name === name && each.for === 'everyone'))
  })
