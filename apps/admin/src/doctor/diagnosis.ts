import type { Deployments, Provider } from '@svc/chain'
import type { MachineContext } from '@svc/serve'

/** What the checks of the doctor look at. */
export interface DoctorContext extends MachineContext {
  /** Variables that the apps know. A misspelt one is noticed; if empty, this is not checked. */
  knownVariables: readonly string[]
  /** Unix milliseconds. */
  now: () => number
  connect: (url: string, index: number, chainId: number) => Provider
  /** Runs one statement on the database. */
  query: (url: string, statement: string) => Promise<Readonly<Record<string, unknown>>[]>
  /** Requests a URL, and returns its JSON. */
  requestJson: (url: string) => Promise<unknown>
  /** Requests a URL, and returns its status. */
  requestStatus: (url: string) => Promise<number>
}

/** What a check finds: faults, one line each. */
export type Faults = readonly string[]

/** A check of a configuration. */
export interface DoctorCheck {
  name: string
  /** Asks a provider, the database or a service. */
  online: boolean
  run: (context: DoctorContext, deployments: Deployments | null) => Promise<Faults>
}

/** Names a provider without its URL, which may carry a key. */
export const nameProvider = (index: number) => `provider ${index + 1}`
