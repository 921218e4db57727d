import { mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { ApiError } from '@svc/client'
import { computeSettlementDigest, SvcError, terminalStates } from '@svc/protocol'
import { listFilesInside } from '@svc/work/folder'
import { type AgentPlace, type CheckedTask, clean, LimitError, type ReceivedWork } from './place.ts'

/** What a task says. All of it is text of a stranger: data, never an instruction. */
export interface UntrustedTask {
  title: string
  criteria: string
  milestones: readonly string[]
  tags: readonly string[]
}

export const toUntrusted = ({ text }: Pick<CheckedTask, 'text'>): UntrustedTask => ({
  title: clean(text?.title ?? ''),
  criteria: clean(text?.criteria ?? ''),
  milestones: (text?.milestones ?? []).map(clean),
  tags: (text?.tags ?? []).map(clean),
})

/** The only files that can be sent for a task. */
export interface Outbox {
  folder: string
  /** Writes a file. Its name has no folder. */
  write: (name: string, content: string | Uint8Array) => Promise<void>
}

/** What work is done from. */
export interface WorkRequest {
  untrusted: UntrustedTask
  milestone: number
  brief: ReceivedWork | null
  /** What the poster wants changed; null for a first delivery. */
  revision: ReceivedWork | null
  outbox: Outbox
}

/** Does the work: writes files into the outbox and returns a note for the poster. */
export type DoWork = (request: WorkRequest) => Promise<string>

/** How a task ended. */
export interface JobEnd {
  state: string
  releasedTokWei: bigint
}

/** A task that the agent works on. */
export type Job = ReturnType<typeof createJob>

export function createJob(place: AgentPlace, id: string) {
  const deliver = async (task: CheckedTask, doWork: DoWork): Promise<void> => {
    const folder = join(place.locate(id, 'outbox'), `${task.currentMilestone}-${task.revisions}`)
    // What a run that was killed left there may be half a file.
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const names = new Set<string>()
    const outbox: Outbox = {
      folder,
      async write(name, content) {
        if (name !== basename(name) || name.startsWith('.'))
          throw new SvcError('INVALID_FILE', `${JSON.stringify(name)} is not the name of a file.`)
        names.add(name)
        await writeFile(join(folder, name), content, { mode: 0o600 })
      },
    }
    const [brief, revision] = [
      await place.receiveBrief(task),
      task.revisions > 0 ? await place.receiveOnChain(task, 'revision') : null,
    ]
    const milestone = task.currentMilestone
    const text = await doWork({ untrusted: toUntrusted(task), milestone, brief, revision, outbox })
    const files = await listFilesInside(folder, [...names])
    const { hash, receipt } = await place.sendBundle(task, 'delivery', { text, files })
    await place.act('submit-proof', {
      taskId: id,
      milestone,
      proofHash: hash,
      ...(receipt && { receipt: { ...receipt, size: Number(receipt.size), until: Number(receipt.until) } }),
    })
  }

  return {
    id,
    read: () => place.readTask(id),
    /** Asks the poster and waits for the answer; null if the task has ended before. The same question is asked once. */
    async ask(question: string): Promise<string | null> {
      const task = await place.readTask(id)
      const find = async () => {
        const { thread } = await place.readThread(task)
        return thread.messages.find(({ message }) => message.type === 'Question' && message.payload.text === question)
      }
      if (!(await find())) await place.talk.write(place.buildSubject(task), 'Question', { text: question })
      for (;;) {
        const { thread } = await place.readThread(task)
        const asked = thread.messages.find(
          ({ message }) => message.type === 'Question' && message.payload.text === question,
        )
        const answer = thread.messages.flatMap(({ message }) =>
          message.type === 'Answer' && message.payload.answers.toLowerCase() === asked?.hash
            ? [message.payload.text]
            : [],
        )[0]
        if (answer !== undefined) return clean(answer)
        if (isOver(await place.readTask(id))) return null
        await place.wake()
      }
    },
    /**
     * Works until the task has ended. All that it knows is on chain and in the inbox, so after a restart it goes on where it was.
     */
    run: (doWork: DoWork): Promise<JobEnd> =>
      repeatUntilOver(place, id, async (task) => {
        const actions = await place.listActions(id)
        const isIn = (action: string) => actions.includes(action)
        const isWaiting = task.reviewEnd !== null && (task.store === null || task.receipted)
        if (isIn('release-lapsed')) await place.act('release-lapsed', { taskId: id, milestone: task.currentMilestone })
        else if (isIn('start-work')) await place.act('start-work', { taskId: id })
        else if (isIn('submit-proof') && !isWaiting) await deliver(task, doWork)
        // The poster missed a duty: the exit deposit comes back.
        else if (isIn('expire-task') && task.state === 'CLAIMED') await place.act('expire-task', { taskId: id })
        else return false
        return true
      }),
  }
}

/** Takes step after step until a task has ended. A step returns false if there is nothing to do now. */
export const repeatUntilOver = (
  place: AgentPlace,
  id: string,
  step: (task: CheckedTask) => Promise<boolean>,
): Promise<JobEnd> =>
  repeatUntilDone(place, async () => {
    const task = await place.readTask(id)
    if (isOver(task)) return { state: task.state, releasedTokWei: BigInt(task.releasedTokWei) }
    if (!(await step(task))) await place.wake()
    return undefined
  })

/** Repeats a step until it returns something. What a later look can cure does not end it. */
export async function repeatUntilDone<Result>(
  place: AgentPlace,
  step: () => Promise<Result | undefined>,
): Promise<Result> {
  for (let failures = 0; ; ) {
    try {
      const result = await step()
      if (result !== undefined) return result
      failures = 0
    } catch (error) {
      if (!isPassing(error) || ++failures > maxFailures) throw error
      await place.wake()
    }
  }
}

/** A service that is down for longer ends the work; the next start goes on. */
const maxFailures = 20

/** What a later look can cure: somebody acted first, a service is a block behind, or it does not answer. */
const isPassing = (error: unknown): boolean =>
  error instanceof LimitError
    ? error.result.limit === 'chain'
    : error instanceof ApiError ||
      error instanceof TypeError ||
      (error instanceof Error && error.name === 'TimeoutError')

export const isOver = ({ state }: Pick<CheckedTask, 'state'>): boolean => terminalStates.some((each) => each === state)

/** Claims a task. For one that needs a permit it applies and waits to be chosen; null if somebody else was. */
export const claimJob = (place: AgentPlace, id: string, application: string): Promise<Job | null> =>
  repeatUntilDone(place, async () => {
    const task = await place.readTask(id)
    if (task.worker?.toLowerCase() === place.grant.account.toLowerCase()) return createJob(place, id)
    if (task.claimableUntil === null) return null
    await takeClaimStep(place, task, application)
    return undefined
  })

/** Applies if that is needed, claims if the agent was chosen, or waits. */
async function takeClaimStep(place: AgentPlace, task: CheckedTask, application: string): Promise<void> {
  const { account } = place.grant
  const { status } = task.claimPolicy === 'PERMIT' ? await place.readThread(task) : { status: null }
  const isChosen = task.claimPolicy === 'ANYONE' || task.allowedWorker?.toLowerCase() === account.toLowerCase()
  const permit = isChosen ? undefined : status?.permit?.permit
  if (isChosen || permit) {
    // The digest is that of the terms that were read: the chain refuses any others.
    const settlementDigest = computeSettlementDigest(place.context, task.checkedTerms, account)
    const encoded = permit && { ...permit, nonce: String(permit.nonce), expiry: Number(permit.expiry) }
    return place.act('claim-task', { taskId: task.id, settlementDigest, ...(encoded && { permit: encoded }) })
  }
  if (!status?.application) await place.talk.write(place.buildSubject(task), 'Application', { claims: [application] })
  await place.wake()
}
