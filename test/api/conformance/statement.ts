import type { Client } from '@svc/client'
import type { ExpectStatic } from 'vitest'
import type { IndexedWorld } from '../../harness/indexed.ts'

/** An answer of the API that its own contract allows. */
export interface Reply {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the contract has judged it already
  body: any
  headers: Headers
}

/** APIs over the same world that lack something: what a status needs that no request can bring about. */
export type Lack = 'limited' | 'crowded' | 'faulty' | 'away' | 'keyless' | 'hanging' | 'failing'

/** What proofs work with: a devnet with the demo world, its index in Postgres, and the API over both. */
export interface Bench {
  world: IndexedWorld
  client: Client
  send: (path: string, init?: RequestInit, lack?: Lack) => Promise<Reply>
  /** Sends JSON. */
  post: (path: string, body: unknown, lack?: Lack) => Promise<Reply>
  /** Settles when the API has the chain's newest block. */
  caughtUp: () => Promise<void>
  expect: ExpectStatic
}

export type Proof = (bench: Bench) => Promise<void>

/** A sentence of the specification, and what proves it. */
export type Statement = { section: number; says: string } & (
  | { /** The route and the status, or the document, that shows it. */ on: string; prove: Proof }
  | { /** A test elsewhere. */ file: string; test: string }
)

/** Rows of one section: each with what shows it, the words of the specification, and the proof. */
export const proven = (section: number, rows: readonly (readonly [on: string, says: string, prove: Proof])[]) =>
  rows.map(([on, says, prove]): Statement => ({ section, on, says, prove }))

/** Rows of one section that other tests prove. */
export const elsewhere = (section: number, rows: readonly (readonly [says: string, file: string, test: string])[]) =>
  rows.map(([says, file, test]): Statement => ({ section, says, file, test }))
