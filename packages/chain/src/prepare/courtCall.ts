import { formatTime, SvcError } from '@svc/protocol'
import { realityCourtAbi } from '@svc/protocol/abis'
import { extractRevertData } from '@svc/protocol/errors'
import { type Address, decodeErrorResult, encodeFunctionData, formatEther, type Hex, parseAbi } from 'viem'
import type { Provider } from '../providers.ts'
import type { BlockRef } from '../reader.ts'
import type { Court } from '../reads/readCourt.ts'

/** What anybody can do about a case at a court that asks the public; only a party can publish. */
export type CourtStep =
  | { kind: 'publish'; evidenceHash: Hex; uri: string }
  | { kind: 'ask'; bountyWei: bigint }
  /** Without a bond, the least that counts now. */
  | { kind: 'answer'; forWorker: boolean; bondWei: bigint | null }
  | { kind: 'carry' }

/** A call that its sender signs. */
export interface CourtCall {
  to: Address
  data: Hex
  value: bigint
  /** What it does, and what it costs. */
  about: string
}

interface CallPlace {
  court: Pick<Extract<Court, { kind: 'reality' }>, 'address' | 'reality'>
  /** Of the market. */
  arbitration: Address
  task: bigint
  minBond: bigint
  from: Address
}

const realityAbi = parseAbi([
  'function getBond(bytes32 questionId) view returns (uint256)',
  'function getFinalizeTS(bytes32 questionId) view returns (uint32)',
])

/**
 * Prepares a step of a case at a court that asks the public, and tries it at the block: one that would be refused is refused here,
 * with the reason. Throws `CourtCallError`.
 */
export async function prepareCourtCall(
  { client }: Provider,
  block: BlockRef,
  { court, arbitration, task, minBond, from }: CallPlace,
  step: CourtStep,
): Promise<CourtCall> {
  const blockNumber = block.number
  const contract = { address: court.address, abi: realityCourtAbi, blockNumber } as const
  const readCase = () => client.readContract({ ...contract, functionName: 'caseOf', args: [arbitration, task] })
  const readReality = async (functionName: 'getBond' | 'getFinalizeTS', questionId: Hex) =>
    BigInt(
      await client.readContract({
        address: court.reality,
        abi: realityAbi,
        blockNumber,
        functionName,
        args: [questionId],
      }),
    )
  const build = async (): Promise<CourtCall> => {
    const { questionId, askFrom, askUntil } = await readCase()
    const isAsked = !/^0x0+$/.test(questionId)
    const to = court.address
    switch (step.kind) {
      case 'publish': {
        const args = [arbitration, task, step.evidenceHash, step.uri] as const
        return {
          to,
          data: encodeFunctionData({ abi: realityCourtAbi, functionName: 'publish', args }),
          value: 0n,
          about: `Says that everybody can open your evidence at ${step.uri}. Possible until the case is asked.`,
        }
      }
      case 'ask':
        if (askFrom > 0n && BigInt(block.timestamp) < askFrom)
          throw new CourtCallError(`it can be asked from ${formatTime(Number(askFrom))}`)
        return {
          to,
          data: encodeFunctionData({ abi: realityCourtAbi, functionName: 'ask', args: [arbitration, task] }),
          value: step.bountyWei,
          about: `Puts the case to the public, with ${formatEther(step.bountyWei)} ETH for the final answer. Possible until ${formatTime(Number(askUntil))}.`,
        }
      case 'answer': {
        if (!isAsked) throw new CourtCallError('it was not asked yet')
        const last = await readReality('getBond', questionId)
        const least = last * 2n > minBond ? last * 2n : minBond
        const bond = step.bondWei ?? least
        if (bond < least) throw new CourtCallError(`the bond is at least ${formatEther(least)} ETH now`)
        // Fails if somebody else is first, so nobody bonds against an answer that they have not seen.
        const args = [arbitration, task, step.forWorker, last] as const
        return {
          to,
          data: encodeFunctionData({ abi: realityCourtAbi, functionName: 'answer', args }),
          value: bond,
          about: `Answers for the ${step.forWorker ? 'worker' : 'poster'} with a bond of ${formatEther(bond)} ETH. You lose it if another answer is final.`,
        }
      }
      case 'carry': {
        if (!isAsked) throw new CourtCallError('it was not asked yet')
        const final = Number(await readReality('getFinalizeTS', questionId))
        if (final === 0) throw new CourtCallError('nobody has answered')
        if (final > block.timestamp) throw new CourtCallError(`the answer is final from ${formatTime(final)}`)
        return {
          to,
          data: encodeFunctionData({ abi: realityCourtAbi, functionName: 'carry', args: [arbitration, task] }),
          value: 0n,
          about: 'Carries the final answer to the market. The fees of the case go to whoever gave it.',
        }
      }
    }
  }
  const call = await build()
  try {
    await client.call({ account: from, to: call.to, data: call.data, value: call.value, blockNumber })
  } catch (error) {
    const data = extractRevertData(error)
    if (!data) throw error
    throw new CourtCallError(explainRefusal(data))
  }
  return call
}

const reasons: Readonly<Record<string, string>> = {
  NotBeforeCourt: 'the task has no open dispute, or its case is not before the final court',
  NotAParty: 'only its poster or worker can publish evidence',
  BadEvidence: 'a link has 1 to 256 characters of a URI, and a hash that is not zero',
  AlreadyAsked: 'it was asked already',
  AskTooLate: 'no answer could be final in time',
  NothingPublished: 'neither party has published evidence, and the public can judge only what it can open',
  NoRuling: 'the public said neither yes nor no, so the case ends by time',
}

function explainRefusal(data: Hex): string {
  try {
    const { errorName } = decodeErrorResult({ abi: realityCourtAbi, data })
    return reasons[errorName] ?? `the court refuses it: ${errorName}`
  } catch {
    return 'Reality.eth refuses it: somebody may have answered meanwhile, or the answer is final'
  }
}

/** A step of a case is not possible now. */
export class CourtCallError extends SvcError {
  override name = 'CourtCallError'

  constructor(reason: string) {
    super('COURT_CALL', `Cannot prepare the call: ${reason}.`)
  }
}
