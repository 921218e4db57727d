import type { apiEndpoints, Client } from '@svc/client'
import type { ExpectStatic } from 'vitest'
import type { IndexedWorld } from '../../harness/indexed.ts'

/** An answer of the API that matches its contract. */
export interface Reply {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: already checked against the contract
  body: any
  headers: Headers
}

/** Special conditions of an API over the same world: they cause statuses that no request alone can cause. */
export type Condition = 'limited' | 'crowded' | 'faulty' | 'away' | 'keyless' | 'hanging' | 'failing'

/** What proofs use: a devnet with the demo world, its index in Postgres, and the API over both. */
export interface ProofContext {
  world: IndexedWorld
  client: Client<typeof apiEndpoints>
  send: (path: string, init?: RequestInit, condition?: Condition) => Promise<Reply>
  /** Posts JSON. */
  post: (path: string, body: unknown, condition?: Condition) => Promise<Reply>
  /** Resolves when the API knows the chain's newest block. */
  caughtUp: () => Promise<void>
  expect: ExpectStatic
}

export type Proof = (context: ProofContext) => Promise<void>

/** A statement of the specification, and its proof. */
export type Statement = { section: number; says: string } & (
  | { /** The route and the status, or the document, that shows it. */ on: string; prove: Proof }
  | { /** A test elsewhere. */ file: string; test: string }
)

/** Rows of one section: the route and status, the statement, and the proof. */
export const proven = (section: number, rows: readonly (readonly [on: string, says: string, prove: Proof])[]) =>
  rows.map(([on, says, prove]): Statement => ({ section, on, says, prove }))

/** Rows of one section that other tests prove. */
export const elsewhere = (section: number, rows: readonly (readonly [says: string, file: string, test: string])[]) =>
  rows.map(([says, file, test]): Statement => ({ section, says, file, test }))
