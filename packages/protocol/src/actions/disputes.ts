import { type Address, getAddress } from 'viem'
import * as z from 'zod/mini'
import { milestone, nonZeroHash, payee, round, shareBps } from '../base/wire.ts'
import { bps } from '../money/amounts.ts'
import type { TaskContext } from '../tasks/taskContext.ts'
import { taskId } from '../tasks/taskIdSchema.ts'
import { defineAction } from './action.ts'

/** A ruling names its case, so that it is never about a later one. */
function findRound({ dispute }: TaskContext): bigint | undefined {
  return dispute ? BigInt(dispute.number) : undefined
}

/** While silence would pay, the poster opens; a worker opens where the store gave no receipt. */
export const openDispute = defineAction({
  name: 'open-dispute',
  verb: 'Open a dispute',
  title: 'Open a dispute',
  done: 'Opened a dispute',
  explain:
    "Takes the delivery to arbitration with the hash of your evidence and the worker's share that you accept; a poster puts up a stake and a whole reserve.",
  operation: { task: 'openDispute' },
  input: z.strictObject({ taskId, milestone, evidenceHash: nonZeroHash, shareBps }),
  contract: 'taskRegistry',
  functions: ['openDispute(uint256 taskId, uint256 milestone, bytes32 evidenceHash, uint256 shareBps)'],
  // By default each side asks for everything.
  derive: {
    milestone: ({ task }) => BigInt(task.current),
    shareBps: ({ task }, wallet) => (wallet === task.poster ? 0n : bps),
  },
  deadline: 'consent',
  proof: ['DisputeOpened'],
})

/** An arbitrator proposes itself. A party agrees with the other one, if that has proposed somebody. */
function findProposal({ task, dispute }: TaskContext, wallet: Address): Address | undefined {
  if (wallet !== task.poster && wallet !== task.worker) return wallet
  const { posterProposal = null, workerProposal = null } = dispute ?? {}
  const other = wallet === task.poster ? workerProposal : posterProposal
  return other === null || posterProposal === workerProposal ? undefined : getAddress(other)
}

/** A party proposes another wallet. An arbitrator that signed terms or both parties name proposes itself: it accepts the case. */
export const proposeArbitrator = defineAction({
  name: 'propose-arbitrator',
  verb: 'Propose arbitrator',
  title: 'Propose an arbitrator, or accept the case',
  done: 'Proposed an arbitrator, or accepted the case',
  explain:
    'Proposes an arbitrator for the dispute; one that both parties name, in signed terms or in the dispute, accepts the case by proposing itself, which locks a part of its bond.',
  operation: { dispute: 'propose' },
  input: z.strictObject({ taskId, arbitrator: payee }),
  contract: 'arbitration',
  functions: ['propose(uint256 taskId, address arbitrator)'],
  derive: { arbitrator: findProposal },
  deadline: 'ruling',
  proof: ['ArbitratorProposed', 'JudgeSeated'],
})

/** Another judge can be named while the parties may still name one; afterwards the final court decides. */
export const stepDown = defineAction({
  name: 'step-down',
  verb: 'Give case back',
  title: 'Give the case back',
  done: 'Gave the case back',
  explain:
    'Gives your case back before you rule, free of charge; do this if you cannot open the evidence. The parties may name another judge in time, or the final court decides.',
  operation: { dispute: 'stepDown' },
  input: z.strictObject({ taskId }),
  contract: 'arbitration',
  functions: ['stepDown(uint256 taskId)'],
  proof: ['JudgeSteppedDown'],
})

/** Each party moves its share only towards the other's. If the two meet, the dispute ends there. */
export const submitEvidence = defineAction({
  name: 'submit-evidence',
  verb: 'Submit evidence',
  title: 'Submit evidence',
  done: 'Submitted evidence',
  explain:
    "Adds the hash of your evidence to the dispute and names the worker's share that you accept; it moves only towards the other party's, and the dispute ends where the two meet.",
  operation: { dispute: 'submitEvidence' },
  input: z.strictObject({ taskId, evidenceHash: nonZeroHash, shareBps }),
  contract: 'arbitration',
  functions: ['submitEvidence(uint256 taskId, bytes32 evidenceHash, uint256 shareBps)'],
  // By default a party stays where it is.
  derive: {
    shareBps: ({ task, dispute }, wallet) =>
      wallet === task.poster ? (dispute?.offerBps ?? 0n) : (dispute?.askBps ?? bps),
  },
  proof: ['EvidenceSubmitted'],
})

export const resolveDispute = defineAction({
  name: 'resolve-dispute',
  verb: 'Submit ruling',
  title: 'Submit your ruling',
  done: 'Submitted the ruling',
  explain:
    "Picks the worker's or the poster's share as the judge, with the hash of your reasons, once the evidence window is over; if the final court overturns it, you lose more of your bond than the ruling moved.",
  operation: { dispute: 'resolve' },
  input: z.strictObject({ taskId, round, forWorker: z.boolean(), reasonHash: nonZeroHash }),
  contract: 'arbitration',
  functions: ['resolve(uint256 taskId, uint256 round, bool forWorker, bytes32 reasonHash)'],
  derive: { round: findRound },
  deadline: 'appeal',
  proof: ['Ruled'],
})

export const escalate = defineAction({
  name: 'escalate',
  verb: 'Appeal',
  title: 'Appeal the ruling',
  done: 'Appealed the ruling',
  explain:
    'Takes the ruling to the final court; your deposit pays for it, and the other side pays it back if the court overturns the ruling.',
  operation: { dispute: 'escalate' },
  input: z.strictObject({ taskId }),
  contract: 'arbitration',
  functions: ['escalate(uint256 taskId)'],
  deadline: 'court',
  proof: ['Escalated'],
})

export const decideDispute = defineAction({
  name: 'decide-dispute',
  verb: 'Submit decision',
  title: 'Decide as the final court',
  done: 'Decided the dispute',
  explain:
    "Picks the worker's or the poster's share as the final court and closes the dispute, once the evidence window is over; an overturned judge loses more of its bond than its ruling moved.",
  operation: { dispute: 'decide' },
  input: z.strictObject({ taskId, round, forWorker: z.boolean(), reasonHash: nonZeroHash }),
  contract: 'arbitration',
  functions: ['decide(uint256 taskId, uint256 round, bool forWorker, bytes32 reasonHash)'],
  derive: { round: findRound },
  proof: ['Decided'],
})

export const finalizeDispute = defineAction({
  name: 'finalize-dispute',
  verb: 'Carry out ruling',
  title: 'Carry out the ruling',
  done: 'Carried out the ruling',
  explain: 'Pays out a ruling that nobody appealed in time; anyone can do this.',
  operation: { dispute: 'finalize' },
  input: z.strictObject({ taskId }),
  contract: 'arbitration',
  functions: ['finalize(uint256 taskId)'],
  proof: ['CaseClosed'],
})

export const resolveTimedOut = defineAction({
  name: 'resolve-timed-out',
  verb: 'Resolve timed-out dispute',
  title: 'Resolve a timed-out dispute',
  done: 'Resolved the timed-out dispute',
  explain:
    'Moves a dispute on whose time is over: the final court is called, or its silence lets the ruling stand or the side that did not open the dispute win; anyone can do this.',
  operation: { dispute: 'resolveTimedOut' },
  input: z.strictObject({ taskId }),
  contract: 'arbitration',
  functions: ['resolveTimedOut(uint256 taskId)'],
  proof: ['CourtCalled', 'CaseClosed'],
})
