import { mkdir, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import {
  buildTermsFromDraft,
  canonicalizeJson,
  formatTermsText,
  parseTermsDraft,
  termsWire,
  toTaskTerms,
} from '@svc/protocol'
import { listFilesInside } from '@svc/work/folder'
import { type Address, getAddress, keccak256, stringToHex } from 'viem'
import * as z from 'zod/mini'
import { type JobEnd, repeatUntilDone, repeatUntilOver } from './job.ts'
import { type AgentPlace, type CheckedTask, clean, type ReceivedWork } from './place.ts'

/** What the agent buys. */
export interface OrderDraft {
  title: string
  criteria: string
  /** TOK with its unit, such as `9,000 TOK`. */
  budget: string
  /** Time to deliver, such as `6 hours`. */
  duration: string
  tags?: string[]
  /** PERMIT: whoever `choose` chooses. ANYONE, the default: whoever comes first. */
  claimPolicy?: 'ANYONE' | 'PERMIT'
  maxRevisions?: number
  /** Text and files that whoever claims it gets, encrypted. */
  brief?: { text: string; files?: Readonly<Record<string, string | Uint8Array>> }
  /** Tells two orders apart that say the same. The same order is posted once, also after a restart. */
  key?: string
}

/** Somebody who wants to do the work. */
export interface Applicant {
  worker: Address
  untrustedClaims: readonly string[]
}

/** How an order is decided. Without `choose`, nobody is chosen. */
export interface OrderDecisions {
  choose?: (applicants: readonly Applicant[]) => Promise<Address | null>
  /** Accepts a delivery, or says what to change. */
  review: (delivery: ReceivedWork) => Promise<'accept' | { changes: string }>
  answer?: (question: string) => Promise<string>
}

/** A task that the agent posted. */
export type Order = ReturnType<typeof createOrder>

/**
 * Posts a task with its whole budget. Its nonce follows from the order, and the chain takes each nonce once: an order that was posted before
 * a restart is found again.
 */
export async function postOrder(place: AgentPlace, draft: OrderDraft): Promise<Order> {
  const { account } = place.grant
  const nonce = BigInt(
    keccak256(stringToHex(canonicalizeJson({ account, ...draft, brief: draft.brief?.text ?? null }))),
  )
  return repeatUntilDone(place, async () => {
    const posted = await findPosted(place, nonce)
    if (posted) return createOrder(place, posted, draft)
    // A signer that was killed behind its transaction refuses, because the nonce is spent: the next look finds the task.
    await place.act('post-task', await buildPost(place, draft, nonce))
    return undefined
  })
}

async function buildPost(place: AgentPlace, draft: OrderDraft, nonce: bigint) {
  const { account, market } = place.grant
  const { title, criteria, budget, duration, tags, claimPolicy, maxRevisions } = draft
  const { timestamp } = await place.chain.getBlock()
  const statement = place.store.keys?.statement ?? undefined
  const document = buildTermsFromDraft(
    parseTermsDraft({
      market,
      title,
      criteria,
      milestones: [{ title, amount: budget, duration }],
      store: place.store.address,
      nonce: String(nonce),
      ...(statement && { statement: { message: statement.message, signature: statement.signature } }),
      ...(tags && { tags }),
      ...(claimPolicy && { claimPolicy }),
      ...(maxRevisions !== undefined && { maxRevisions }),
    }),
    { signing: () => place.context, poster: account, now: Number(timestamp), nonce },
  )
  const terms = toTaskTerms(document)
  const fundAmountTokWei = String(terms.amounts.reduce((sum, each) => sum + each, 0n))
  return { market, terms: z.encode(termsWire, terms), text: formatTermsText(document), fundAmountTokWei }
}

async function findPosted({ api, grant, atLeast, readTask }: AgentPlace, nonce: bigint): Promise<string | null> {
  const { market, account } = grant
  const { body } = await api.listTasksByPoster({ address: account, market, limit: 50, ...atLeast() })
  for (const { id } of body.tasks) if ((await readTask(id)).checkedTerms.nonce === nonce) return id
  return null
}

function createOrder(place: AgentPlace, id: string, draft: Pick<OrderDraft, 'brief'>) {
  /** Sends the brief once: that it was announced is in the conversation. */
  const sendBrief = async (task: CheckedTask): Promise<void> => {
    const { brief } = draft
    if (!brief || !task.worker) return
    const worker = getAddress(task.worker)
    const { thread } = await place.readThread(task, worker)
    if (thread.messages.some(({ message }) => message.type === 'Brief')) return
    const folder = join(place.locate(id, 'outbox'), 'brief')
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const names = Object.keys(brief.files ?? {})
    for (const name of names) await writeFile(join(folder, basename(name)), brief.files?.[name] ?? '')
    const files = await listFilesInside(
      folder,
      names.map((name) => basename(name)),
    )
    const { hash } = await place.sendBundle(task, 'brief', { text: brief.text, files })
    await place.talk.write(place.buildSubject(task, worker), 'Brief', { hash }, { sharesTask: true })
  }

  const chooseWorker = async ({ choose, answer }: OrderDecisions): Promise<Address | null> => {
    await place.talk.mailbox.sync()
    const threads = (await place.talk.listThreads()).filter(({ thread }) => thread.subject.taskId === id)
    for (const { thread, status } of threads) {
      for (const { hash, type } of status.open) {
        const asked = thread.messages.find((each) => each.hash === hash)?.message
        if (type !== 'Question' || asked?.type !== 'Question' || asked.sender === place.grant.account || !answer)
          continue
        await place.talk.write(thread.subject, 'Answer', {
          text: await answer(clean(asked.payload.text)),
          answers: hash,
        })
      }
    }
    const applicants = threads.flatMap(({ thread, status }): Applicant[] => {
      const application = status.application?.message
      if (application?.type !== 'Application') return []
      return [{ worker: thread.subject.other, untrustedClaims: application.payload.claims.map(clean) }]
    })
    return applicants.length > 0 ? ((await choose?.(applicants)) ?? null) : null
  }

  /** Takes the next step of the poster. Returns false if it is not its turn. */
  const step = async (task: CheckedTask, decisions: OrderDecisions): Promise<boolean> => {
    const actions = await place.listActions(id)
    if (actions.includes('expire-task')) {
      await place.act('expire-task', { taskId: id })
    } else if (task.state === 'POSTED') {
      const worker = await chooseWorker(decisions)
      if (!worker || task.claimPolicy === 'ANYONE' || task.allowedWorker?.toLowerCase() === worker.toLowerCase())
        return false
      await place.act('allow-worker', { taskId: id, worker })
    } else if (actions.includes('start-work')) {
      await sendBrief(task)
      await place.act('start-work', { taskId: id })
    } else if (task.reviewEnd !== null && actions.includes('accept-milestone') && task.state === 'ACTIVE') {
      const delivery = await place.receiveOnChain(task, 'delivery')
      if (!delivery) return false
      const decision = await decisions.review(delivery)
      const milestone = task.currentMilestone
      if (decision === 'accept') {
        await place.act('accept-milestone', { taskId: id, milestone })
      } else {
        const { hash } = await place.sendBundle(task, 'revision', { text: decision.changes, files: [] })
        await place.act('request-revision', { taskId: id, milestone, reasonHash: hash })
      }
    } else return false
    return true
  }

  return {
    id,
    read: () => place.readTask(id),
    /** Decides until the task has ended. After a restart it goes on where it was. */
    run: (decisions: OrderDecisions): Promise<JobEnd> => repeatUntilOver(place, id, (task) => step(task, decisions)),
  }
}
