import type { PreparedJson } from '@svc/operations'
import { canonicalizeJson } from '@svc/protocol'
import { type ActionName, type Call, decodeCalls, describeCalls, planPermit } from '@svc/protocol/actions'
import type { Approval, DescribedCall, PermitPlan } from '@svc/protocol/internal/actions'
import { contracts } from '../deployments.ts'
import { actionText } from '../text/signing.ts'

/** The action that the user requested. The prepared calls must match it. */
export interface RequestedAction {
  action: ActionName
  input: Readonly<Record<string, unknown>>
  from: string
}

/** What prepared calls do, decoded from their bytes; or why they must not be signed. */
export type ReadBack =
  | {
      calls: readonly DescribedCall[]
      approvals: readonly Approval[]
      /** How the approval can be a signature instead of a transaction. */
      permit: PermitPlan | null
      problem: null
    }
  | { calls: readonly []; approvals: readonly []; permit: null; problem: string }

/**
 * Decodes the calls with the contracts of this build. They must be exactly the requested action with the requested values, so a
 * server cannot get anything else signed.
 */
export function readBack({ market, calls, from }: PreparedJson, asked: RequestedAction): ReadBack {
  try {
    const described = describeCalls(calls as readonly Call[], market, contracts)
    const decoded = decodeCalls(calls as readonly Call[], { [market]: contracts[market] } as typeof contracts)
    const said = new Map(described.at(-1)?.args.map(({ name, value }) => [name, value.toLowerCase()]))
    const isOther = Object.entries(asked.input).some(
      ([name, value]) => said.get(name) !== canonicalizeJson(value).toLowerCase(),
    )
    const isOtherWallet = from.toLowerCase() !== asked.from.toLowerCase()
    if (decoded?.action.name !== asked.action || isOther || isOtherWallet) throw new Error('other')
    const permit = planPermit(calls as readonly Call[], contracts)
    return { calls: described, approvals: decoded.approvals, permit, problem: null }
  } catch {
    return refuse(actionText.otherThanAsked)
  }
}

/** Calls that must not be signed, and why. */
export const refuse = (problem: string): ReadBack => ({ calls: [], approvals: [], permit: null, problem })
