import { operations } from '@svc/operations'
import type { Address } from 'viem'
import { implementCalls } from './implementCalls.ts'
import { type SignInDeps, saveStatement } from './openSession.ts'
import type { PersonalData } from './personalData.ts'

/** What the calls of a wallet about its own sessions and data work with. */
export interface SessionCallDeps extends SignInDeps {
  /** Everything that is stored about a wallet. */
  personalData: PersonalData
  /** The tasks of a wallet that run, as `v2:micro:7`; null if the index cannot say it now. */
  listRunningTasks: (wallet: Address) => Promise<string[] | null>
}

const implement = implementCalls<SessionCallDeps>()

/** The calls that every service with sessions answers in the same way. */
export const sessionCalls = {
  endSession: implement(operations.endSession)(async ({ all }, { sessions }, { headers }) => ({
    ended: await sessions.close(headers, all),
  })),

  putStatement: implement(operations.putStatement)((signed, deps, { client }) => saveStatement(deps, signed, client)),

  exportData: implement(operations.exportData)(async ({ after }, { sessions, personalData }, { headers }) =>
    personalData.list(await sessions.require(headers), after),
  ),

  deleteData: implement(operations.deleteData)(async (_, deps, { headers }) => {
    const wallet = await deps.sessions.require(headers)
    await deps.sessions.close(headers, true)
    return deps.personalData.remove(wallet, await deps.listRunningTasks(wallet))
  }),
}
