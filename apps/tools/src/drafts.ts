import type { TermsDocument } from '@svc/protocol'

/** Terms that this process built, so that a model passes a short id instead of copying a document of 900 tokens. */
export interface Drafts {
  /** Keeps a document and returns its id. */
  add: (document: TermsDocument) => string
  /** Null if this process never built it, or too long ago. */
  find: (draftId: string) => TermsDocument | null
}

/** More than anyone drafts before they post. */
const maxDrafts = 200

export function createDrafts(): Drafts {
  const documents = new Map<string, TermsDocument>()
  return {
    add(document) {
      // The digest of the terms, so that a changed draft never has the id of another.
      const draftId = `draft_${document.settlementDigest.slice(2, 18)}`
      documents.delete(draftId)
      documents.set(draftId, document)
      const [oldest] = documents.keys()
      if (documents.size > maxDrafts && oldest !== undefined) documents.delete(oldest)
      return draftId
    },
    find: (draftId) => documents.get(draftId) ?? null,
  }
}
